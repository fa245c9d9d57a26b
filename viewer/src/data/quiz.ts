import type { Run } from "./run";
import { counted } from "./words";

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

/// Makes the questions of a quiz, in the order of the steps, none twice; the same for the same
/// settings. An answer shows its step: of each step one processor is asked for, then its words.
export function makeQuestions(run: Run, settings: QuizSettings): Question[] {
  const random = generator(settings.seed);
  const drawn: Question[] = [];
  if (run.steps === 0) return drawn;
  const asks = all_asks.filter((one) => settings.asks.includes(one));
  if (asks.includes("steps"))
    drawn.push({ asks: "steps", step: 1, right: String(run.json.counts.rounds ?? run.steps) });
  const kinds = asks.filter((one) => one !== "steps");
  const steps = kinds.map((kind) => stepsToAsk(run, kind));
  kinds.forEach((kind, at) => {
    const left = settings.questions - drawn.length;
    const others = steps.slice(at + 1).reduce((sum, one) => sum + one.length, 0);
    const share = Math.max(Math.ceil(left / (kinds.length - at)), left - others);
    for (const step of spread(steps[at], share, at / kinds.length))
      drawn.push(kind === "words" ? wordsAfter(run, step) : whereFrom(run, step, random));
  });
  return drawn.sort((a, b) => a.step - b.step);
}

/// Finds the steps of which this can be asked: the words of a pipelined run are not counted step
/// by step, and where messages go that the page leaves out cannot be seen.
function stepsToAsk(run: Run, asks: Asks): number[] {
  const all = Array.from({ length: run.steps }, (_, at) => at + 1);
  return all.filter((step) => {
    const { messages, pipelined } = run.figures(step);
    if (asks === "words") return pipelined === 0;
    const seen = messages === 0 || run.messages.of(step).length > 0;
    return seen && lateSenders(run, step).size < run.processors;
  });
}

/// Finds the processors that are not asked for in a step: a message of theirs is on its way in it,
/// or comes in late.
function lateSenders(run: Run, step: number): Set<number> {
  const { late, sent, from } = run.messages;
  const those = late.filter((at) => sent[at] <= step && step <= run.messages.step[at]);
  return new Set(those.map((at) => from[at]));
}

/// Takes `count` of the steps, as far apart as they can be, from a share of that distance on.
function spread(steps: readonly number[], count: number, share: number): number[] {
  const taken = Math.min(count, steps.length);
  const at = (number: number) => Math.floor(((number + share) * steps.length) / taken);
  return Array.from({ length: taken }, (_, number) => steps[at(number)]);
}

function wordsAfter(run: Run, step: number): Question {
  return { asks: "words", step, right: run.total("words", step) };
}

/// Asks about one of the processors that send, now and then about one that does not.
function whereFrom(run: Run, step: number, random: () => number): Question {
  const { from, to } = run.messages;
  const messages = run.messages.of(step);
  const senders = new Set(messages.map((at) => from[at]));
  const late = lateSenders(run, step);
  const any = [...Array(run.processors).keys()].filter((rank) => !late.has(rank));
  const sending = any.filter((rank) => senders.has(rank));
  const ranks = sending.length === 0 || random() < 0.15 ? any : sending;
  const rank = ranks[Math.floor(random() * ranks.length)];
  const right = messages.filter((at) => from[at] === rank).map((at) => to[at]);
  return { asks: "where", step, rank, right };
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
    return `After step ${question.step} it is ${counted(question.right, "word")}.`;
  if (question.asks === "steps") return `The run takes ${counted(question.right, "step")}.`;
  if (question.right.length === 0) return `Processor ${question.rank} does not send in it.`;
  return `Processor ${question.rank} sends to ${question.right.join(" and ")}.`;
}

export function score(answers: readonly Answered[]): number {
  return answers.filter((answer) => answer.right).length;
}
