import { isObject, jsonIn } from "../../kernel/index.ts";
import type { MindSetup } from "./mind-server.ts";
import type { PeerFrame } from "./peer.ts";

/**
 * What a run and a worker send each other about one channel between them. The worker says `hello`
 * after it has taken the invitation of the channel, and starts to work when it is welcome.
 */
export type ChannelMail = { readonly channel: string } & (
  | { readonly kind: "hello"; readonly from: string; readonly worker: string }
  | { readonly kind: "welcome"; readonly setup: MindSetup }
  | { readonly kind: "frames"; readonly frames: readonly PeerFrame[] }
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

/** All members of a server have the same version, so only damage must be found. */
export const mailIn = (text: string): ChannelMail | null => {
  const value = jsonIn(text);
  return isMail(value) ? value : null;
};

export const invitationIn = (text: string): Invitation | null => {
  const value = jsonIn(text);
  return isInvitation(value) ? value : null;
};

const isMail = (value: unknown): value is ChannelMail =>
  hasTexts(value, ["channel", "kind"]) && (!("frames" in value) || Array.isArray(value.frames));

const isInvitation = (value: unknown): value is Invitation => hasTexts(value, ["channel", "host"]);

const hasTexts = (value: unknown, keys: readonly string[]): value is object =>
  isObject(value) && keys.every((key) => typeof value[key] === "string");
