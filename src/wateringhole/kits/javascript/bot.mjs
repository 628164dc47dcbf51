// A starter bot: it plays one game in the dialect `native`, one JSON object a line.
//
// node bot.mjs                        speaks on standard input and output
// node bot.mjs localhost 45678 Ann    plays at a server, under the name Ann
//
// The strategy is in `choose` and `feed`: change them. What is below them only carries messages.

import net from "node:net";
import process from "node:process";

const NAME = "javascript starter";

// The traits that a new board should bear, the best ones first.
const FAVOURITES = [
  "long-neck",
  "foraging",
  "cooperation",
  "scavenger",
  "fertile",
  "carnivore",
  "climbing",
  "hard-shell",
  "burrowing",
  "herding",
  "symbiosis",
  "horns",
  "warning-call",
];
const MAX_TRAITS = 3;
const MAX_POPULATION = 7;

/** How to use the cards. Cards and boards are named by their place, counted from 0; a card can be used once. */
function choose(request) {
  const hand = request.me.hand; // each card is [food, trait]
  const populations = request.me.boards.map((board) => board.population);

  // The watering hole gets the card with the most food.
  let food = 0;
  for (let card = 1; card < hand.length; card++) {
    if (hand[card][0] > hand[food][0]) food = card;
  }
  const spare = [...hand.keys()].filter((card) => card !== food);

  // One card pays for a new board, and its traits are our favourites among the others. Each favourite is taken once,
  // so no trait is twice on the board.
  const newBoards = [];
  if (spare.length >= 3) {
    const traits = [];
    for (const favourite of FAVOURITES) {
      const at = spare.findIndex((card) => hand[card][1] === favourite);
      if (at >= 0 && traits.length < MAX_TRAITS && spare.length > 1) {
        traits.push(...spare.splice(at, 1));
      }
    }
    newBoards.push({ pay: spare.shift(), traits });
    populations.push(1); // a new board counts on behind the old ones
  }

  // Every other card buys an animal for the board that has the fewest.
  const growth = [];
  for (const card of spare) {
    const smallest = populations.indexOf(Math.min(...populations));
    if (populations[smallest] < MAX_POPULATION) {
      growth.push({ board: smallest, card });
      populations[smallest] += 1;
    }
  }

  return { move: "play", food, population: growth, boards: newBoards };
}

/** What to feed next: graze if possible, else attack, else store fat. Every option can be sent back as it is. */
function feed(request) {
  for (const move of ["graze", "attack", "store"]) {
    for (const option of request.options) {
      if (option.move === move) return option;
    }
  }
  return { move: "decline" };
}

// Plumbing

/** Sign up, answer every request until the game is over, and return the exit code. */
async function play(incoming, outgoing, name) {
  const say = (message) => outgoing.write(JSON.stringify(message) + "\n");

  say({ wateringhole: 1, name });
  for await (const line of lines(incoming)) {
    const message = JSON.parse(line);
    switch (message.type) {
      case "choose":
        say({ id: message.id, answer: choose(message) });
        break;
      case "feed":
        say({ id: message.id, answer: feed(message) });
        break;
      case "expelled":
      case "refused":
        return fail(`${message.type}: ${message.text}`);
      case "over":
        return 0;
      default: // every other message only tells something; later versions may have more of them
    }
  }
  return 0;
}

/** The lines of a stream, however they are cut into pieces on their way. */
async function* lines(stream) {
  stream.setEncoding("utf8");
  let begun = "";
  for await (const piece of stream) {
    const [first, ...rest] = piece.split("\n");
    begun += first;
    for (const next of rest) {
      yield begun;
      begun = next;
    }
  }
}

function fail(sentence, code = 1) {
  console.error(sentence);
  return code;
}

function isPort(word) {
  return /^[0-9]+$/.test(word) && Number(word) <= 65535;
}

async function main(words) {
  if (![0, 2, 3].includes(words.length) || (words.length > 0 && !isPort(words[1]))) {
    return fail("usage: node bot.mjs [HOST PORT [NAME]]", 2);
  }
  const [host, port, name = NAME] = words;
  const broken = (error) => process.exit(fail(`no connection: ${error.message || error.code}`));
  if (host === undefined) {
    process.stdout.on("error", broken);
    return play(process.stdin, process.stdout, name);
  }
  const line = net.connect({ host, port: Number(port), autoSelectFamily: true }); // localhost may have two addresses
  line.on("error", broken);
  return play(line, line, name);
}

process.exit(await main(process.argv.slice(2)));
