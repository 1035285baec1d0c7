import { once } from "node:events";
import { createServer } from "node:http";
import { onTestFinished } from "vitest";

const SCOPE = /Credential=good\/\d{8}\/eu-west-1\/s3\/aws4_request/.source;
const SIGNED = new RegExp(`^AWS4-HMAC-SHA256 ${SCOPE}, SignedHeaders=.*, Signature=[0-9a-f]{64}$`);

/** Keeps what signed requests put, as a service with the interface of S3 does. */
export const objectStore = async (): Promise<{
  readonly url: string;
  readonly objects: ReadonlyMap<string, Buffer>;
}> => {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = "", "x-amz-date": date } = request.headers;
    const isSigned = SIGNED.test(authorization) && date !== undefined;
    const path = decodeURIComponent(request.url ?? "");
    if (!isSigned) response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    else if (request.method === "PUT") {
      objects.set(path, Buffer.concat(chunks));
      response.writeHead(200).end();
    } else if (request.method === "DELETE") {
      objects.delete(path);
      response.writeHead(204).end();
    } else response.writeHead(405).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}`, objects };
};
