import { computed, signal } from "@preact/signals";
import {
  judge,
  makeQuestions,
  type Answered,
  type Question,
  type QuizSettings,
} from "../data/quiz";
import type { Run } from "../data/run";

/// A quiz that is being played: its questions, one after another, and the answers so far.
export class QuizPlay {
  readonly questions: Question[];
  readonly at = signal(0);
  readonly answers = signal<Answered[]>([]);

  constructor(
    run: Run,
    readonly side: number, // which of two runs it asks about
    readonly settings: QuizSettings,
    private readonly m_show: (step: number, moves: boolean) => void,
  ) {
    this.questions = makeQuestions(run, settings);
    this.showBefore();
  }

  readonly over = computed(() => this.at.value >= this.questions.length);

  /// Whether the question has its answer, and its step may be seen.
  readonly answered = computed(() => this.answers.value.length > this.at.value);

  get question(): Question | undefined {
    return this.questions[this.at.value];
  }

  /// The processor that the drawing marks, -1 where none is asked about.
  get asked(): number {
    const question = this.question;
    return question?.asks === "where" ? question.rank : -1;
  }

  answer(given: string): void {
    const question = this.question;
    if (!question || this.answered.value) return;
    this.answers.value = [...this.answers.value, judge(question, given)];
    if (question.asks !== "steps") this.m_show(question.step, true);
  }

  next(): void {
    if (!this.answered.value) return;
    this.at.value += 1;
    this.showBefore();
  }

  private showBefore(): void {
    const question = this.question;
    if (question) this.m_show(question.step - 1, false);
  }
}
