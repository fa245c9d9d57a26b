import type {
  BoundJson,
  ClaimJson,
  FailureJson,
  MachineJson,
  RunJson,
  ShownJson,
  ShownValue,
  SourceJson,
} from "../../src/data/format";

interface Sent {
  step: number;
  sent: number;
  from: number;
  to: number;
  words: number;
  route: number[];
  sendPlace: number;
  receivePlace: number;
}
interface Call {
  rank: number;
  kind: number;
  begin: number;
  end: number;
  other: number;
  place: number;
}
interface Show {
  rank: number;
  step: number;
  name: string;
  value: ShownValue;
}

/// What writes a sample run: a small lock-step machine that counts by the rules of the library.
export class Recorder {
  step = 0;
  readonly claims: ClaimJson[] = [];
  readonly bounds: BoundJson[] = [];
  failure: FailureJson | null = null;
  explanation: string[] = [];
  sources: SourceJson[] = [];
  places: { file: number; line: number; function: string }[] = [];
  private readonly m_messages: Sent[] = [];
  private readonly m_calls: Call[] = [];
  private readonly m_shows: Show[] = [];
  private readonly m_phases: { name: string; first: number }[] = [];
  private readonly m_pipelined: number[] = [];

  constructor(
    readonly title: string,
    readonly machine: MachineJson,
    private readonly m_route: (from: number, to: number) => number[],
    private readonly m_algorithm = title.split(" on ")[0],
  ) {}

  phase(name: string): void {
    this.m_phases.push({ name, first: this.step + 1 });
  }

  /// Begins the next step; of a pipelined run with its number.
  next(pipelined = 0): void {
    ++this.step;
    this.m_pipelined.push(pipelined);
  }

  send(from: number, to: number, words: number, sent = this.step): void {
    const route = this.m_route(from, to);
    this.m_messages.push({
      step: this.step,
      sent,
      from,
      to,
      words,
      route,
      sendPlace: this.places.length > 0 ? 0 : -1,
      receivePlace: this.places.length > 1 ? 1 : -1,
    });
    this.call(from, 0, sent, sent, to, 0);
    this.call(to, 1, Math.min(sent, this.step), this.step + 1, from, 1);
  }

  call(rank: number, kind: number, begin: number, end: number, other = -1, place = -1): void {
    this.m_calls.push({ rank, kind, begin, end, other, place });
  }

  rearrange(): void {
    for (let rank = 0; rank < this.machine.processors; ++rank)
      this.call(rank, 6, this.step + 1, this.step + 1);
  }

  show(rank: number, name: string, value: ShownValue): void {
    this.m_shows.push({ rank, step: this.step, name, value });
  }

  json(): RunJson {
    const steps = this.steps();
    const last = (figure: string) => steps.totals[figure][this.step - 1] ?? 0;
    const counts = Object.fromEntries(
      Object.keys(steps.totals).map((figure) => [figure, last(figure)]),
    );
    const { messages, routes } = this.messages();
    const names = [...new Set(this.m_shows.map((show) => show.name))];
    return {
      title: this.title,
      algorithm: this.m_algorithm,
      command: `lockstep view ${this.m_algorithm} --on ${this.machine.spec}`,
      machine: this.machine,
      counts: { ...counts, rounds: this.step },
      complete: true,
      incomplete_why: "",
      phases: this.m_phases,
      steps,
      places: this.places,
      sources: this.sources,
      messages,
      routes,
      calls: this.calls(),
      shows: this.shows(names),
      showNames: names,
      failure: this.failure,
      claims: this.claims,
      bounds: this.bounds,
      explanation: this.explanation,
      call: "lockstep::sample(me, value)",
      header: "lockstep/algorithms/sample.hpp",
      parameters: { words: 1 },
    };
  }

  private steps(): RunJson["steps"] {
    const figures = Array.from({ length: this.step }, (_, at) => this.figuresOf(at + 1));
    const totals: Record<string, number[]> = {};
    const sum = { steps: 0, startups: 0, words: 0, volume: 0, messages: 0, hops: 0 };
    const most = { contention: 0, queued: 0 };
    for (const name of [...Object.keys(sum), ...Object.keys(most)]) totals[name] = [];
    figures.forEach((figure, at) => {
      sum.steps = figure.messages > 0 ? at + 1 : sum.steps;
      for (const name of ["startups", "words", "volume", "messages", "hops"] as const)
        sum[name] += figure[name];
      most.contention = Math.max(most.contention, figure.contention);
      most.queued = Math.max(most.queued, figure.queued);
      for (const [name, value] of Object.entries({ ...sum, ...most })) totals[name].push(value);
    });
    const column = (name: keyof (typeof figures)[0]) => figures.map((figure) => figure[name]);
    return {
      phase: figures.map((_, at) => this.phaseOf(at + 1)),
      messages: column("messages"),
      words: column("words"),
      volume: column("volume"),
      hops: column("hops"),
      contention: column("contention"),
      serialised: column("contention"),
      queued: column("queued"),
      startups: column("startups"),
      pipelined: this.m_pipelined,
      totals,
    };
  }

  private figuresOf(step: number) {
    const mine = this.m_messages.filter((message) => message.step === step && message.words > 0);
    const loads = new Map<string, number>();
    for (const { route } of mine)
      for (let hop = 0; hop + 1 < route.length; ++hop) {
        const link = `${route[hop]} ${route[hop + 1]}`;
        loads.set(link, (loads.get(link) ?? 0) + 1);
      }
    const pipelined = this.m_pipelined[step - 1];
    const first = pipelined === 0 || this.m_pipelined[step - 2] !== pipelined;
    return {
      messages: mine.length,
      words: Math.max(0, ...mine.map((message) => message.words)),
      volume: mine.reduce((words, message) => words + message.words, 0),
      hops: Math.max(0, ...mine.map((message) => message.route.length - 1)),
      contention: Math.max(0, ...loads.values()),
      queued: Math.max(0, ...mine.map((message) => step - message.sent)),
      startups: mine.length > 0 && first ? 1 : 0,
    };
  }

  private phaseOf(step: number): number {
    let found = -1;
    this.m_phases.forEach((phase, at) => {
      if (phase.first <= step) found = at;
    });
    return found;
  }

  private messages() {
    const sorted = [...this.m_messages].sort(
      (a, b) => a.step - b.step || a.to - b.to || a.from - b.from,
    );
    const routes: number[][] = [];
    const known = new Map<string, number>();
    const routeOf = (message: Sent) => {
      if (message.route.length === 2) return -1;
      const key = message.route.join(" ");
      if (!known.has(key)) {
        known.set(key, routes.length);
        routes.push(message.route);
      }
      return known.get(key)!;
    };
    const messages = {
      step: differences(sorted.map((message) => message.step)),
      sent: differences(sorted.map((message) => message.sent)),
      from: sorted.map((message) => message.from),
      to: sorted.map((message) => message.to),
      words: sorted.map((message) => message.words),
      route: sorted.map(routeOf),
      sendPlace: sorted.map((message) => message.sendPlace),
      receivePlace: sorted.map((message) => message.receivePlace),
    };
    return { messages, routes };
  }

  private calls() {
    const sorted = this.m_calls
      .map((call, order) => ({ ...call, order }))
      .sort((a, b) => a.rank - b.rank || a.begin - b.begin || a.kind - b.kind || a.order - b.order);
    const place = (index: number) => (index < this.places.length ? index : -1);
    return {
      rank: differences(sorted.map((call) => call.rank)),
      kind: sorted.map((call) => call.kind),
      begin: sorted.map((call) => call.begin),
      end: sorted.map((call) => call.end),
      other: sorted.map((call) => call.other),
      place: sorted.map((call) => place(call.place)),
    };
  }

  private shows(names: string[]) {
    const sorted = this.m_shows
      .map((show, order) => ({ ...show, order }))
      .sort((a, b) => a.rank - b.rank || a.step - b.step || a.order - b.order);
    return {
      rank: differences(sorted.map((show) => show.rank)),
      step: sorted.map((show) => show.step),
      name: sorted.map((show) => names.indexOf(show.name)),
      value: sorted.map((show) => encoded(show.value)),
    };
  }
}

function encoded(value: ShownValue): ShownJson {
  if (!("blocks" in value)) return value;
  const column = (offset: number) =>
    differences(value.blocks.filter((_, at) => at % 2 === offset));
  return { blocks: [column(0), column(1)] };
}

function differences(values: number[]): number[] {
  return values.map((value, at) => value - (at === 0 ? 0 : values[at - 1]));
}
