import { computed, signal } from "@preact/signals";
import { Activity } from "../data/activity";
import { follow, type Followed } from "../data/follow";
import type { BoundDrawing } from "../data/format";
import { parseRanks, ranksText, type Mark } from "../data/mark";
import { mostWords } from "../data/link_loads";
import type { QuizSettings } from "../data/quiz";
import type { Run } from "../data/run";
import { chooseDrawing, type Drawing } from "../drawing/layouts/choose";
import { nodeLoads } from "../drawing/scene";
import { readAddress, start, writeAddress } from "./address";
import { Clock } from "./clock";
import { QuizPlay } from "./quiz_play";

export const speeds = [0.5, 1, 2, 4, 8]; // steps a second
export type Theme = "light" | "dark";

/// The state of the page: what is shown of which run, and what may change it.
export class Store {
  readonly clock = new Clock();
  readonly drawings: Drawing[];
  readonly steps: number; // of the longer run

  readonly step = signal(0);
  readonly playing = signal(false);
  readonly speed = signal(1);
  readonly side = signal(0);
  readonly chosen = signal(-1);
  readonly hovered = signal(-1); // the processor under the pointer, here or in the matrix
  readonly mark = signal<Mark | undefined>(undefined);
  readonly followed = signal<Followed | undefined>(undefined);
  readonly heat = signal(false);
  readonly bound = signal<BoundDrawing | undefined>(undefined);
  readonly panel = signal("");
  readonly theme = signal<Theme>("light");
  readonly large = signal(false);
  readonly quiz = signal<QuizPlay | undefined>(undefined);
  readonly help = signal(false);
  readonly layout = signal("1"); // of what is printed: see export/print.ts
  readonly said = signal(""); // what a screen reader is told

  readonly run = computed(() => this.runs[this.side.value]);
  readonly journeys = computed(() => {
    const followed = this.followed.value;
    return this.runs.map((run) => (followed ? follow(run, followed) : undefined));
  });

  /// Whether what comes after this step is hidden, because a quiz asks about it.
  readonly hidesFuture = computed(() => {
    const quiz = this.quiz.value;
    return quiz !== undefined && !quiz.over.value;
  });

  private readonly m_activities: (Activity | undefined)[] = [];

  constructor(readonly runs: readonly Run[]) {
    this.drawings = runs.map((run) => chooseDrawing(run.machine));
    this.steps = Math.max(...runs.map((run) => run.steps));
  }

  /// The words of the busiest link of the runs, or of what is marked in them.
  get mostWords(): number {
    const mark = this.mark.value;
    return Math.max(
      ...this.runs.map((run, side) => mostWords(nodeLoads(run, this.drawings[side], mark))),
    );
  }

  activity(side: number): Activity {
    return (this.m_activities[side] ??= new Activity(this.runs[side]));
  }

  /// The step that a run shows: the shorter of two stays at its end.
  stepOf(side: number): number {
    return Math.min(this.step.value, this.runs[side].steps);
  }

  /// Goes to a step; forward by one the messages move, else they have arrived.
  go(step: number, moves = false): void {
    const to = Math.min(this.steps, Math.max(0, step));
    const forward = to === this.step.value + 1;
    this.step.value = to;
    if (moves && forward && !calm()) this.move();
    else this.clock.finish();
  }

  forward(): void {
    if (!this.locked) this.go(this.step.value + 1, true);
  }

  back(): void {
    this.pause();
    if (!this.locked) this.go(this.step.value - 1);
  }

  /// Goes where a slider or a key says: a quiz does not let itself be passed.
  jump(step: number): void {
    this.pause();
    if (!this.locked) this.go(step);
  }

  get locked(): boolean {
    return this.hidesFuture.value;
  }

  play(): void {
    if (this.locked) return;
    if (this.step.value >= this.steps) this.go(0);
    this.playing.value = true;
    this.next();
  }

  pause(): void {
    this.playing.value = false;
  }

  toggle(): void {
    if (this.playing.value) this.pause();
    else this.play();
  }

  faster(by: number): void {
    const at = speeds.indexOf(this.speed.value) + by;
    this.speed.value = speeds[Math.min(speeds.length - 1, Math.max(0, at))];
  }

  /// Chooses a processor: in a quiz that asks for one, it is the answer.
  choose(rank: number): void {
    const quiz = this.quiz.value;
    if (quiz && quiz.asked >= 0 && !quiz.over.value && !quiz.answered.value) {
      quiz.answer(String(rank));
      return;
    }
    this.chosen.value = rank === this.chosen.value ? -1 : rank;
    if (this.chosen.value >= 0 && !quiz && this.panel.value !== "code")
      this.panel.value = "processor";
  }

  /// Chooses a processor of a run where it is clicked, -1: the run alone. Those of the run that a
  /// quiz does not ask about are no answers.
  click(side: number, rank: number): void {
    if (this.locked && side !== this.quiz.value!.side) return;
    this.side.value = side;
    if (rank >= 0) this.choose(rank);
  }

  chooseNext(by: number): void {
    const count = this.run.value.processors;
    this.chosen.value =
      (this.chosen.value + by + count + (this.chosen.value < 0 && by < 0 ? 1 : 0)) % count;
  }

  /// Marks processors, in all steps unless told otherwise.
  markOf(ranks: ReadonlySet<number>, first = 1, last = Infinity): Mark {
    const whole = Math.max(1, this.steps);
    return { ranks, first: Math.max(1, Math.min(first, whole)), last: Math.min(last, whole) };
  }

  startQuiz(settings: QuizSettings, side = this.side.value): void {
    this.pause();
    this.side.value = side;
    this.chosen.value = -1;
    this.followed.value = undefined;
    this.heat.value = false;
    this.bound.value = undefined;
    this.mark.value = undefined;
    this.quiz.value = undefined;
    this.panel.value = "quiz";
    this.quiz.value = new QuizPlay(this.runs[side], side, settings, (step, moves) =>
      this.go(step, moves),
    );
  }

  endQuiz(): void {
    this.quiz.value = undefined;
  }

  readAddress(hash: string): void {
    this.pause();
    const address = readAddress(hash);
    this.side.value = Math.min(address.side, this.runs.length - 1);
    const run = this.run.value;
    this.chosen.value = address.processor < run.processors ? address.processor : -1;
    this.followed.value = address.follow;
    this.heat.value = address.heat;
    const ranks = parseRanks(address.mark, run.processors);
    this.mark.value = ranks && this.markOf(ranks, ...address.steps);
    this.panel.value = address.panel || (this.chosen.value >= 0 ? "processor" : "");
    if (address.quiz) this.startQuiz(address.quiz);
    else {
      this.endQuiz();
      this.go(address.step);
    }
  }

  get address(): string {
    const quiz = this.quiz.value;
    const mark = this.mark.value;
    if (quiz) return writeAddress({ ...start, side: quiz.side, quiz: quiz.settings });
    return writeAddress({
      step: this.step.value,
      processor: this.chosen.value,
      follow: this.followed.value,
      side: this.side.value,
      panel: this.panel.value,
      heat: this.heat.value,
      mark: mark ? ranksText(mark.ranks) : "",
      steps: mark && (mark.first > 1 || mark.last < this.steps) ? [mark.first, mark.last] : [],
      quiz: undefined,
    });
  }

  private move(): void {
    const whole = 1000 / this.speed.value;
    this.clock.start(0.8 * whole, () => {
      if (this.playing.value) setTimeout(() => this.next(), 0.2 * whole);
    });
  }

  private next(): void {
    if (!this.playing.value) return;
    if (this.step.value >= this.steps) {
      this.pause();
      return;
    }
    this.go(this.step.value + 1, true);
    if (calm()) setTimeout(() => this.next(), 1000 / this.speed.value);
  }
}

/// Whether the reader asked for less movement.
function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
