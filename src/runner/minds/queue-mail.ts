import { isObject, jsonIn } from "../../kernel/index.ts";
import type { MindSetup } from "./mind-server.ts";

/**
 * What a run and a worker send each other about one channel between them. The worker says `hello`
 * after it has taken the invitation of the channel, and starts to work when it is welcome. `frames`
 * brings a batch of a `FrameLine`, which the process of the worker passes on as it is.
 */
export type ChannelMail = { readonly channel: string } & (
  | { readonly kind: "hello"; readonly from: string; readonly worker: string }
  | { readonly kind: "welcome"; readonly setup: MindSetup }
  | { readonly kind: "frames"; readonly batch: string }
  /** The sender is there. */
  | { readonly kind: "beat" }
  | { readonly kind: "end"; readonly why: string }
);

/** An entry of the list of channels that wait for a worker. */
export type Invitation = { readonly channel: string; readonly host: string };

export const invitationsKey = (tag: string): string => `catallaxy:minds:${tag}:invitations`;

/** Both sides say that they are there this often, and take a silent side for gone. */
export const BEAT_MS = 2_000;
export const GONE_AFTER_MS = 12_000;

const LINE_END = "\n";

/** JSON. But `frames` are the name of the channel, an end of line and the batch. */
export const mailText = (mail: ChannelMail): string =>
  mail.kind === "frames" ? `${mail.channel}${LINE_END}${mail.batch}` : JSON.stringify(mail);

/** Others can write to the server, so the shape is checked. They must not end a process. */
export const mailIn = (text: string): ChannelMail | null => {
  const end = text.indexOf(LINE_END);
  if (end > 0) {
    return { channel: text.slice(0, end), kind: "frames", batch: text.slice(end + 1) };
  }
  const value = jsonIn(text);
  return isMail(value) ? value : null;
};

export const invitationIn = (text: string): Invitation | null => {
  const value = jsonIn(text);
  return isInvitation(value) ? value : null;
};

const isMail = (value: unknown): value is ChannelMail => {
  if (!isObject(value) || typeof value.channel !== "string") return false;
  switch (value.kind) {
    case "hello":
      return hasTexts(value, ["from", "worker"]);
    case "welcome":
      return isObject(value.setup);
    case "end":
      return hasTexts(value, ["why"]);
    default:
      return value.kind === "beat";
  }
};

const isInvitation = (value: unknown): value is Invitation => hasTexts(value, ["channel", "host"]);

const hasTexts = (value: unknown, keys: readonly string[]): value is object =>
  isObject(value) && keys.every((key) => typeof value[key] === "string");
