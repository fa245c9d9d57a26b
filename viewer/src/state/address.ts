import { parseFollowed, followedText, type Followed } from "../data/follow";
import { parseQuiz, type QuizSettings } from "../data/quiz";

/// What of the page's state stands in its address: #step=5&processor=3&follow=7-2.
export interface Address {
  step: number;
  processor: number; // -1: none
  follow: Followed | undefined;
  side: number; // which of two runs
  panel: string;
  heat: boolean;
  mark: string; // the marked ranks as they are typed, empty: none
  steps: number[]; // the first and last marked step, empty: all
  quiz: QuizSettings | undefined;
}

export const start: Address = {
  step: 0,
  processor: -1,
  follow: undefined,
  side: 0,
  panel: "",
  heat: false,
  mark: "",
  steps: [],
  quiz: undefined,
};

const panel_names = "failure counts processor messages code bound about quiz".split(" ");

/// Reads an address's part after #; what it does not name stays as at the start.
export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    step: whole(fields.get("step"), 0),
    processor: whole(fields.get("processor"), -1),
    follow: followedIn(fields),
    side: fields.get("run") === "2" ? 1 : 0,
    panel: panel_names.find((name) => name === fields.get("panel")) ?? "",
    heat: fields.get("load") === "run",
    mark: /^[\d,-]*$/.exec(fields.get("mark") ?? "")?.[0] ?? "",
    steps: /^(\d{1,9})-(\d{1,9})$/.exec(fields.get("steps") ?? "")?.slice(1).map(Number) ?? [],
    quiz: parseQuiz(
      fields.get("quiz") ?? "",
      fields.get("questions") ?? "",
      fields.get("seed") ?? "",
    ),
  };
}

function whole(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

function followedIn(fields: URLSearchParams): Followed | undefined {
  const followed = parseFollowed(fields.get("follow") ?? "");
  const exchange = fields.get("exchange");
  return followed && exchange ? { ...followed, exchange } : followed;
}

/// Writes the address's part after #, without what is as at the start.
export function writeAddress(address: Address): string {
  const fields: string[] = [`step=${address.step}`];
  if (address.processor >= 0) fields.push(`processor=${address.processor}`);
  if (address.follow) fields.push(`follow=${followedText(address.follow)}`);
  if (address.follow?.exchange)
    fields.push(`exchange=${encodeURIComponent(address.follow.exchange)}`);
  if (address.side > 0) fields.push("run=2");
  if (address.panel) fields.push(`panel=${encodeURIComponent(address.panel)}`);
  if (address.heat) fields.push("load=run");
  if (address.mark) fields.push(`mark=${address.mark}`);
  if (address.steps.length > 0) fields.push(`steps=${address.steps.join("-")}`);
  if (address.quiz) fields.push(quizFields(address.quiz));
  return "#" + fields.join("&");
}

export function quizFields(quiz: QuizSettings): string {
  return `quiz=${quiz.asks.join(",")}&questions=${quiz.questions}&seed=${quiz.seed}`;
}
