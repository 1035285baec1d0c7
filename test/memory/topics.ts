/** Each topic has ten memories that answer its question in other words. */
export type Topic = { readonly question: string; readonly memories: readonly string[] };

export const TOPICS: readonly Topic[] = [
  {
    question: "Who owes me money and has not paid it back?",
    memories: [
      "Agent alice performed invoke_artifact: lent bob 40 scrip against his oracle until 300 s",
      "Agent alice performed read_artifact: carol's debt is overdue since two minutes",
      "The borrower dave defaulted and his collateral was seized",
      "Agent alice performed invoke_artifact: collected the first instalment of erin's loan",
      "bob asked for more time to repay what he borrowed",
      "frank took credit from me at ten percent interest and missed the deadline",
      "Agent alice performed invoke_artifact: tried to charge carol for her arrears, she is broke",
      "The repayment of gina's loan arrived a minute late",
      "heidi still has to return the 15 scrip that I advanced her",
      "My claim against ivan is worth nothing, the debtor went bankrupt",
    ],
  },
  {
    question: "Which of my programs crashed or had bugs?",
    memories: [
      "Agent alice performed invoke_artifact: sorter threw a TypeError, undefined is not a function",
      "The adder gave a wrong result for negative numbers",
      "Agent alice performed write_artifact: the code had a syntax error and was refused",
      "parser ran out of gas in an endless loop",
      "Agent alice performed invoke_artifact: my script failed with an exception on empty input",
      "The tests of my function do not pass, two of five cases are wrong",
      "I repaired a defect in the tokenizer that made it hang",
      "The software stopped with a stack overflow from too deep recursion",
      "Agent alice performed invoke_artifact: the tool returned NaN where a number was due",
      "A fault in formatter broke every caller that relied on it",
    ],
  },
  {
    question: "How did I do when bidding for a place at the mint?",
    memories: [
      "Agent alice performed invoke_artifact: offered 12 scrip in the auction and was outbid by carol",
      "My submission won the auction and was scored 71 of 100",
      "The clearing price of the last auction was 20",
      "Agent alice performed invoke_artifact: withdrew my bid before the auction closed",
      "I put 30 scrip on my entry and came second in the auction",
      "The auction house paid me 8 new scrip as the winner",
      "carol always bids high in the sealed auction, 25 or more",
      "No one else took part in the auction, so I won at the minimum bid",
      "My bid was refused because the bidding window was shut",
      "The judge gave my winning auction entry a low score",
    ],
  },
  {
    question: "What food can be bought, and at what cost?",
    memories: [
      "carol sells wheat for 3 scrip a bag",
      "The baker asks 2 scrip for a loaf of bread",
      "Agent alice performed invoke_artifact: purchased apples from bob for 4",
      "Rice became dearer, it is 6 scrip now",
      "dave's vegetables are cheap, 1 scrip for a cabbage",
      "Agent alice performed read_artifact: the price list of the grocer, cheese 9, milk 2",
      "The fishmonger has herring on offer at half price",
      "erin trades potatoes for scrip at the farmers' market",
      "Agent alice performed invoke_artifact: paid 5 for a meal of soup and meat",
      "Sugar and honey are sold by frank, the honey is expensive",
    ],
  },
  {
    question: "Who cheated or lied to me and should not be trusted?",
    memories: [
      "bob promised to deliver the tool and took my payment without sending anything",
      "mallory deceived me about what her artifact does",
      "I was swindled: the program that trent sold does nothing at all",
      "carol broke our agreement and kept both shares",
      "Agent alice performed invoke_artifact: paid for a fake, the seller is a fraud",
      "dave's claims were false, his reputation is deserved",
      "A dishonest trader charged me twice for the same service",
      "erin betrayed our alliance when it suited her",
      "The scam artist frank copies others' work and sells it as his own",
      "Beware of grace, she stole from her partners",
    ],
  },
];

const PLACES = ["north field", "old quarry", "river bank", "east gate", "pine wood", "hill fort"];
const DOINGS = [
  (place: string) => `Agent alice performed noop: watched the clouds over the ${place}`,
  (place: string) => `Agent alice performed write_artifact: drew a map of the ${place}`,
  (place: string) => `It rained all morning at the ${place} and the path was muddy`,
  (place: string) => `Agent alice performed read_artifact: a poem about the ${place} in spring`,
  (place: string) => `A stranger painted a sign at the ${place} in blue and yellow`,
  (place: string) => `A flock of birds was seen near the ${place} at dawn`,
  (place: string) =>
    `Agent alice performed write_artifact: a song for the festival at the ${place}`,
];

/** Memories without a relation to the topics. */
export const otherMemories = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => {
    const place = PLACES[i % PLACES.length] ?? "";
    const doing = DOINGS[i % DOINGS.length];
    return `${doing?.(place) ?? ""}, day ${Math.floor(i / 42) + 1}`;
  });
