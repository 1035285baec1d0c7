export { type EngineVersion, engineVersion } from "./engine-version.ts";
export {
  type FilePack,
  filesIn,
  type PackedFile,
  packFiles,
  packFolder,
  unpackFiles,
} from "./file-pack.ts";
export { type Member, Presence } from "./presence.ts";
export {
  parseRedisAddress,
  type RedisAddress,
  redisAddressAt,
  redisPlaceIn,
} from "./redis-address.ts";
export { connectToRedis, RedisConnection } from "./redis-connection.ts";
