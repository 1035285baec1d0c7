import { expect, it } from "vitest";
import { readAgentHistories, shownMoments } from "../../../src/read/index.ts";
import { BUY, liveSeats, personaFolder, SEAT_PERSONAS, seatedAt } from "../../support/seats.ts";
import { withJournal } from "../../support/simulation-run.ts";

it("the moves of a person are moments, and a wait ends the turn", async () => {
  const { "bob/agent.yaml": _, ...others } = SEAT_PERSONAS;
  const agents = personaFolder(others);
  const { folder, ended, launch } = await liveSeats({ agents });
  const ada = await seatedAt(folder, "ada");
  expect(await ada.act(BUY)).toMatchObject({ ok: true });
  const sleep = { for_s: 5 };
  const wait = { ...ada.seat, action: { noop: {} }, sleep };
  expect(await ada.client.call("seat_act", wait)).toMatchObject({ ok: true });
  launch.runner.stop("signal");
  await ended;
  const own = await withJournal(folder, async (journal) => {
    const histories = readAgentHistories(journal);
    const moments = histories.all.filter(({ actor }) => actor === "ada");
    return shownMoments(journal, histories, moments, Number.MAX_SAFE_INTEGER);
  });
  expect(own.map(({ type, space, paid }) => [type, space, paid])).toEqual([
    ["CONVERSATION", "market", 3],
    ["COMPLETION", "ada_workspace", 0],
  ]);
  expect(own[0]?.things).toEqual(["shop_doubler"]);
  expect(own[0]?.prose).toContain("→ shop_doubler.run returned 42");
});
