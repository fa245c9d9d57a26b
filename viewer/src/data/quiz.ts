import type { Run } from "./run";

/// What a quiz asks: where a processor sends, how many words so far, how many steps in all.
export type Asks = "where" | "words" | "steps";

export interface QuizSettings {
  asks: Asks[];
  questions: number;
  seed: number;
}

export type Question =
  | { asks: "where"; step: number; rank: number; right: number[] } // empty: it does not send
  | { asks: "words"; step: number; right: string }
  | { asks: "steps"; step: number; right: string };

export interface Answered {
  question: Question;
  given: string;
  right: boolean;
}

export const all_asks: Asks[] = ["where", "words", "steps"];

/// Reads settings as the address gives them: "where,words" with questions and a seed.
export function parseQuiz(asks: string, questions: string, seed: string): QuizSettings | undefined {
  const wanted = all_asks.filter((one) => asks.split(",").includes(one));
  if (wanted.length === 0) return undefined;
  return {
    asks: wanted,
    questions: Math.min(50, Math.max(1, Math.round(Number(questions)) || 8)),
    seed: Math.max(1, Math.round(Number(seed)) || 1),
  };
}

/// Makes the questions of a quiz, in the order of the steps; the same for the same settings.
export function makeQuestions(run: Run, settings: QuizSettings): Question[] {
  const random = generator(settings.seed);
  const drawn: Question[] = [];
  if (run.steps === 0) return drawn;
  const kinds = settings.asks.filter((asks) => asks !== "steps");
  if (settings.asks.includes("steps"))
    drawn.push({ asks: "steps", step: 1, right: String(run.json.counts.rounds ?? run.steps) });
  for (let number = 0; kinds.length > 0 && drawn.length < settings.questions; ++number) {
    const step = stepFor(number, settings.questions, run.steps);
    const asks = kinds[number % kinds.length];
    drawn.push(asks === "words" ? wordsAfter(run, step) : whereFrom(run, step, random));
  }
  return drawn.sort((a, b) => a.step - b.step);
}

/// Spreads the questions over the steps of the run.
function stepFor(number: number, questions: number, steps: number): number {
  return 1 + (questions <= steps ? Math.floor((number * steps) / questions) : number % steps);
}

function wordsAfter(run: Run, step: number): Question {
  return { asks: "words", step, right: run.total("words", step) };
}

/// Asks about one of the processors that send, now and then about one that does not.
function whereFrom(run: Run, step: number, random: () => number): Question {
  const senders = new Map<number, number[]>();
  for (let at = 0; at < run.messages.count; ++at)
    if (run.messages.sent[at] === step) {
      const to = senders.get(run.messages.from[at]) ?? [];
      senders.set(run.messages.from[at], [...to, run.messages.to[at]]);
    }
  const ranks = [...senders.keys()].sort((a, b) => a - b);
  const any = ranks.length === 0 || random() < 0.15;
  const rank = any
    ? Math.floor(random() * run.processors)
    : ranks[Math.floor(random() * ranks.length)];
  return { asks: "where", step, rank, right: senders.get(rank) ?? [] };
}

/// Pseudo-random numbers in [0, 1), by a linear congruence.
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/// Judges an answer: a rank, "none" for a processor that does not send, or a number.
export function judge(question: Question, given: string): Answered {
  const text = given.trim();
  if (question.asks !== "where")
    return { question, given: text, right: text.replace(/[ ,_]/g, "") === question.right };
  const right =
    text === "none" ? question.right.length === 0 : question.right.includes(Number(text));
  return { question, given: text, right: text !== "" && right };
}

export function questionText(question: Question): string {
  if (question.asks === "where")
    return `Step ${question.step} comes next. Where does processor ${question.rank} send?`;
  if (question.asks === "words")
    return `How many words will have been counted after step ${question.step}?`;
  return "How many steps does the whole run take?";
}

export function solutionText(question: Question): string {
  if (question.asks === "words")
    return `After step ${question.step} it is ${question.right} words.`;
  if (question.asks === "steps") return `The run takes ${question.right} steps.`;
  if (question.right.length === 0) return `Processor ${question.rank} does not send in it.`;
  return `Processor ${question.rank} sends to ${question.right.join(" and ")}.`;
}

export function score(answers: readonly Answered[]): number {
  return answers.filter((answer) => answer.right).length;
}
