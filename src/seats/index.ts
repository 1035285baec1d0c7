export { SeatClient, takeSeat } from "./client/seat-client.ts";
export { SeatPlayer } from "./client/seat-player.ts";
export { type SeatCommand, seatCommand } from "./core/seat-command.ts";
export { type FoundArtifact, foundIn, type SeatLook, type SeatOutcome } from "./core/seat-look.ts";
export { SEAT_METHODS } from "./core/seat-methods.ts";
export { isSameToken, seatToken } from "./core/seat-token.ts";
export { clientMind, type Seats, seatFeature } from "./run/seats.ts";
export { SeatSession } from "./terminal/seat-session.ts";

/** The MCP servers of a seat. Their SDK takes long to load. */
export const seatServers = () => import("./mcp/serve-seat.ts");
