import { useState } from "preact/hooks";
import {
  all_asks,
  questionText,
  score,
  solutionText,
  type Asks,
  type QuizSettings,
} from "../../data/quiz";
import { quizFields } from "../../state/address";
import type { QuizPlay } from "../../state/quiz_play";
import type { Store } from "../../state/store";
import { useStore } from "../context";

/// Guess the next step: settings, questions one after another, the score.
export function QuizPanel() {
  const store = useStore();
  const quiz = store.quiz.value;
  if (!quiz) return <Settings />;
  return quiz.over.value ? <Score quiz={quiz} /> : <Ask quiz={quiz} />;
}

const asks_text: Record<Asks, string> = {
  where: "where a processor sends",
  words: "how many words so far",
  steps: "how many steps in all",
};

function Settings() {
  const store = useStore();
  const [asks, setAsks] = useState<Asks[]>(all_asks);
  const [questions, setQuestions] = useState(8);
  const [seed, setSeed] = useState(1);
  const settings = { asks, questions, seed };
  const toggle = (one: Asks) =>
    setAsks(asks.includes(one) ? asks.filter((it) => it !== one) : [...asks, one]);
  return (
    <div class="quiz">
      <p>The messages of the next step are hidden. Guess them.</p>
      <fieldset>
        <legend>It asks</legend>
        {all_asks.map((one) => (
          <label key={one} class="row">
            <input type="checkbox" checked={asks.includes(one)} onChange={() => toggle(one)} />
            {asks_text[one]}
          </label>
        ))}
      </fieldset>
      <div class="row">
        <NumberField name="Questions" value={questions} most={50} set={setQuestions} />
        <NumberField name="Variant" value={seed} most={9999} set={setSeed} />
      </div>
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={asks.length === 0}
          onClick={() => store.startQuiz(settings)}
        >
          Start
        </button>
      </div>
      <HomeworkLink settings={settings} />
    </div>
  );
}

function HomeworkLink({ settings }: { settings: QuizSettings }) {
  const run = useStore().side.value > 0 ? "run=2&" : "";
  return (
    <label class="stack">
      A link for homework
      <input
        readOnly
        value={`${location.href.split("#")[0]}#${run}${quizFields(settings)}`}
        onFocus={(event) => event.currentTarget.select()}
      />
    </label>
  );
}

function NumberField(its: {
  name: string;
  value: number;
  most: number;
  set: (to: number) => void;
}) {
  return (
    <label>
      {its.name}{" "}
      <input
        type="number"
        min={1}
        max={its.most}
        value={its.value}
        onChange={(event) =>
          its.set(
            Math.min(its.most, Math.max(1, Math.round(Number(event.currentTarget.value)) || 1)),
          )
        }
      />
    </label>
  );
}

function Ask({ quiz }: { quiz: QuizPlay }) {
  const store = useStore();
  const question = quiz.questions[quiz.at.value];
  const answered = quiz.answered.value;
  return (
    <div class="quiz">
      <p class="quiet">
        Question {quiz.at.value + 1} of {quiz.questions.length} · {score(quiz.answers.value)} right
        so far
      </p>
      <h3 class="question">
        {ofRun(store, quiz.side)}
        {questionText(question)}
      </h3>
      {answered ? <Verdict quiz={quiz} /> : <AnswerForm key={quiz.at.value} quiz={quiz} />}
      <button type="button" class="link" onClick={() => store.endQuiz()}>
        End the quiz
      </button>
    </div>
  );
}

/// Names the run that is asked about, where there are two.
function ofRun({ runs }: Store, side: number): string {
  if (runs.length < 2) return "";
  const [first, second] = runs.map((run) => run.machine.spec);
  if (first === second) return side > 0 ? "In the second run: " : "In the first run: ";
  return `On ${runs[side].machine.spec}: `;
}

function AnswerForm({ quiz }: { quiz: QuizPlay }) {
  const [given, setGiven] = useState("");
  const where = quiz.question?.asks === "where";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (given.trim() !== "") quiz.answer(given);
      }}
    >
      <p class="quiet">
        {where ? "Click a processor in the drawing, or type its rank." : "Type a number."}
      </p>
      <div class="row">
        <input
          class="short"
          inputMode="numeric"
          aria-label="Your answer"
          value={given}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={given.trim() === ""}>
          Answer
        </button>
        {where && (
          <button type="button" onClick={() => quiz.answer("none")}>
            It does not send
          </button>
        )}
      </div>
    </form>
  );
}

function Verdict({ quiz }: { quiz: QuizPlay }) {
  const answer = quiz.answers.value[quiz.at.value];
  const given = answer.given === "none" ? "it does not send" : answer.given;
  return (
    <div role="status" class={answer.right ? "verdict right" : "verdict wrong"}>
      <p>
        <b>{answer.right ? "✓ Right." : `✗ Not ${given}.`}</b> {solutionText(answer.question)}
      </p>
      <button type="button" class="primary" onClick={() => quiz.next()}>
        {quiz.at.value + 1 < quiz.questions.length ? "Next question" : "To the score"}
      </button>
    </div>
  );
}

function Score({ quiz }: { quiz: QuizPlay }) {
  const store = useStore();
  const right = score(quiz.answers.value);
  return (
    <div class="quiz" role="status">
      <h3 class="score">
        {quiz.questions.length > 0
          ? `${right} of ${quiz.answers.value.length} right`
          : "There is nothing to ask of this run."}
      </h3>
      <ul class="answers">
        {quiz.answers.value.map((answer, at) => (
          <li key={at} class={answer.right ? "right" : "wrong"}>
            {answer.right ? "✓" : "✗"} {questionText(answer.question)} <i>{answer.given}</i>
            {!answer.right && <span class="quiet"> {solutionText(answer.question)}</span>}
          </li>
        ))}
      </ul>
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={quiz.questions.length === 0}
          onClick={() => store.startQuiz(quiz.settings, quiz.side)}
        >
          Again
        </button>
        <button type="button" onClick={() => store.endQuiz()}>
          See the run
        </button>
      </div>
    </div>
  );
}
