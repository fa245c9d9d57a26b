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
import { exchange, prefix, samples, treeSum } from "../samples/runs";

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
  const many = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((seed) =>
    makeQuestions(run, { asks: ["where"], questions: 50, seed }),
  );
  const none = many.filter((question) => question.right.length === 0);
  expect(none.length).toBeGreaterThan(0);
  expect(none.length).toBeLessThan(many.length / 2);
  expect(solutionText(none[0])).toContain("does not send");
  expect(questionText(none[0])).toContain(`Step ${none[0].step} comes next`);
});

const all_settings = [1, 2, 7, 8, 13, 50].flatMap((questions) =>
  (["where", "where,words", "words,where", "steps,words,where", "words"] as const).map((asks) => ({
    asks: asks.split(",") as QuizSettings["asks"],
    questions,
    seed: questions,
  })),
);

test.each(Object.keys(samples))("%s: no question is asked twice, or after its answer", (name) => {
  if (/^(torus|prefix-1)/.test(name)) return; // large ones, of which there are small ones
  for (const run of samples[name]().map((json) => new Run(json)))
    for (const settings of all_settings) {
      const questions = makeQuestions(run, settings);
      const keys = questions.map((question) => `${question.step} ${question.asks}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(questions.length).toBeLessThanOrEqual(settings.questions);
      expect(questions.slice(1).filter((question) => question.asks === "steps")).toEqual([]);
      questions.slice(1).forEach((question, at) => {
        const before = questions[at];
        if (before.asks === "steps") return;
        expect(question.step).toBeGreaterThanOrEqual(before.step);
        if (question.step === before.step) expect(before.asks).toBe("where");
      });
    }
});

test("there are as many questions as asked for while there are steps for them", () => {
  const run = new Run(exchange(4, 4)); // of 6 steps
  const count = (asks: QuizSettings["asks"], questions: number) =>
    makeQuestions(run, { asks, questions, seed: 1 }).length;
  expect([1, 2, 5, 12, 13].map((questions) => count(settings.asks, questions))).toEqual([
    1, 2, 5, 12, 13,
  ]);
  expect(count(settings.asks, 50)).toBe(13);
  expect(count(["words"], 50)).toBe(6);
});

test("of messages that come in later it is not asked where they go", () => {
  const run = new Run(treeSum(4));
  const { late, sent, step, from } = run.messages;
  for (let seed = 1; seed < 60; ++seed)
    for (const question of makeQuestions(run, { asks: ["where"], questions: 50, seed })) {
      if (question.asks !== "where") continue;
      const its = late.filter((at) => from[at] === question.rank);
      for (const at of its)
        expect(question.step < sent[at] || question.step > step[at]).toBe(true);
    }
});

test("the words so far are not asked for within a pipelined run, nor what is left out", () => {
  const run = new Run(treeSum(3));
  const words = makeQuestions(run, { asks: ["words"], questions: 50, seed: 1 });
  expect(words.map((question) => question.step)).toEqual([1, 2, 3, 4]);
  const json = exchange(3, 3);
  for (const column of ["step", "sent", "from", "to", "words", "route"] as const)
    json.messages[column] = [];
  expect(makeQuestions(new Run(json), { asks: ["where"], questions: 8, seed: 1 })).toEqual([]);
});

test("one of a thing is said as one", () => {
  expect(solutionText({ asks: "words", step: 1, right: "1" })).toBe("After step 1 it is 1 word.");
  expect(solutionText({ asks: "steps", step: 1, right: "1" })).toBe("The run takes 1 step.");
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
