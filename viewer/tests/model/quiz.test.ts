import { expect, test } from "vitest";
import {
  judge,
  makeQuestions,
  parseQuiz,
  questionText,
  score,
  solutionText,
  type QuizSettings,
} from "../../src/data/quiz";
import { Run } from "../../src/data/run";
import { exchange, prefix, treeSum } from "../samples/runs";

const settings: QuizSettings = { asks: ["where", "words", "steps"], questions: 9, seed: 3 };

test("the same settings give the same questions, another seed others", () => {
  const run = new Run(exchange(4, 4));
  expect(makeQuestions(run, settings)).toEqual(makeQuestions(run, settings));
  expect(makeQuestions(run, settings)).not.toEqual(makeQuestions(run, { ...settings, seed: 4 }));
});

test("questions come in the order of the steps, as many as asked for", () => {
  const questions = makeQuestions(new Run(exchange(4, 4)), settings);
  expect(questions).toHaveLength(9);
  const steps = questions.map((question) => question.step);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(questions.filter((question) => question.asks === "steps")).toHaveLength(1);
});

test("right answers are those of the run", () => {
  const run = new Run(prefix(4));
  for (const question of makeQuestions(run, { ...settings, questions: 12 })) {
    if (question.asks === "words") expect(question.right).toBe(String(question.step));
    if (question.asks === "steps") expect(question.right).toBe("4");
    if (question.asks === "where")
      expect(question.right).toEqual([question.rank ^ (1 << (question.step - 1))]);
  }
});

test("answers are judged: ranks, none, numbers with blanks", () => {
  const where = { asks: "where", step: 2, rank: 3, right: [1, 7] } as const;
  const asked = { ...where, right: [...where.right] };
  expect(judge(asked, "7").right).toBe(true);
  expect(judge(asked, "2").right).toBe(false);
  expect(judge(asked, "").right).toBe(false);
  expect(judge(asked, "none").right).toBe(false);
  expect(judge({ ...asked, right: [] }, "none").right).toBe(true);
  expect(judge({ asks: "words", step: 1, right: "12345" }, " 12 345 ").right).toBe(true);
  expect(judge({ asks: "steps", step: 1, right: "6" }, "7").right).toBe(false);
});

test("the score counts right answers", () => {
  const question = { asks: "steps", step: 1, right: "6" } as const;
  expect(score([judge(question, "6"), judge(question, "5"), judge(question, "6")])).toBe(2);
});

test("some questions are about processors that do not send", () => {
  const run = new Run(treeSum(4));
  const many = makeQuestions(run, { asks: ["where"], questions: 50, seed: 1 });
  const none = many.filter((question) => question.right.length === 0);
  expect(none.length).toBeGreaterThan(0);
  expect(none.length).toBeLessThan(many.length / 2);
  expect(solutionText(none[0])).toContain("does not send");
  expect(questionText(none[0])).toContain(`Step ${none[0].step} comes next`);
});

test("settings are read from an address, and kept within limits", () => {
  expect(parseQuiz("where,steps", "5", "2")).toEqual({
    asks: ["where", "steps"],
    questions: 5,
    seed: 2,
  });
  expect(parseQuiz("nonsense", "5", "2")).toBeUndefined();
  expect(parseQuiz("words", "9999", "-1")).toEqual({ asks: ["words"], questions: 50, seed: 1 });
});
