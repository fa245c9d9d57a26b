import { effect } from "@preact/signals";
import { Does } from "../data/activity";
import { linear } from "../data/linear";
import { dark, light } from "../drawing/colours";
import type { Store } from "../state/store";
import { markByDragging, type Area } from "./mark_by_dragging";
import { large_type } from "./scene_of";

const small_cell = 5; // pixels; in smaller ones two colours would run into one
const both_colour = "#009e73";
const axis = { left: 44, bottom: 20, top: 4 };

/// Whether cells are so small that a processor that sends and takes in has a colour of its own.
export function hasSmallCells(processors: number): boolean {
  return processors > 300 / small_cell;
}

interface Cell {
  rank: number;
  step: number;
}

/// The canvas of a processor by step matrix, in which a drag marks processors and steps.
export class GanttChart {
  private readonly m_canvas = document.createElement("canvas");
  private readonly m_cells = document.createElement("canvas");
  private readonly m_stops: (() => void)[] = [];

  constructor(
    private readonly m_store: Store,
    private readonly m_side: number,
    private readonly m_box: HTMLDivElement,
  ) {
    m_box.replaceChildren();
    m_box.append(this.m_canvas);
    m_box.style.height = `${this.height}px`;
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(m_box);
    this.resize();
    this.m_stops.push(
      () => observer.disconnect(),
      effect(() => this.paint()),
      markByDragging(
        m_box,
        () => true,
        (area) => this.markIn(area),
      ),
    );
    m_box.addEventListener("click", (event) => this.click(event));
  }

  stop(): void {
    for (const stop of this.m_stops) stop();
  }

  cellAt(clientX: number, clientY: number): Cell | undefined {
    const box = this.m_box.getBoundingClientRect();
    const step = Math.floor(this.x.invert(clientX - box.left));
    const rank = Math.floor(this.y.invert(clientY - box.top));
    const { steps, processors } = this.run;
    return step < 1 || step > steps || rank < 0 || rank >= processors ? undefined : { rank, step };
  }

  private get run() {
    return this.m_store.runs[this.m_side];
  }
  private get width(): number {
    return this.m_box.clientWidth;
  }
  private get height(): number {
    const most = this.run.processors > 200 ? 420 : 300;
    return axis.top + axis.bottom + Math.min(most, Math.max(48, 15 * this.run.processors));
  }
  private get x() {
    const steps = Math.max(1, this.m_store.steps);
    const right = Math.min(this.width - 4, axis.left + 90 * steps);
    return linear([1, steps + 1], [axis.left, right]);
  }
  private get y() {
    return linear([0, this.run.processors], [axis.top, this.height - axis.bottom]);
  }

  private resize(): void {
    const ratio = window.devicePixelRatio || 1;
    this.m_canvas.width = Math.round(this.width * ratio);
    this.m_canvas.height = Math.round(this.height * ratio);
    this.m_canvas.style.height = `${this.height}px`;
    this.m_canvas.getContext("2d")!.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint();
  }

  private markIn({ left, top, right, bottom }: Area): void {
    const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.floor(value)));
    const first = clamp(this.y.invert(top), this.run.processors - 1);
    const last = clamp(this.y.invert(bottom - 0.01), this.run.processors - 1);
    const marked = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    this.m_store.mark.value = this.m_store.markOf(
      new Set(marked),
      clamp(this.x.invert(left), this.run.steps),
      clamp(this.x.invert(right - 0.01), this.run.steps),
    );
  }

  private click(event: MouseEvent): void {
    const cell = this.cellAt(event.clientX, event.clientY);
    if (!cell || this.m_store.locked) return;
    this.m_store.side.value = this.m_side;
    this.m_store.chosen.value = cell.rank;
    this.m_store.jump(cell.step);
  }

  private paint(): void {
    const context = this.m_canvas.getContext("2d")!;
    const colours = this.m_store.theme.value === "dark" ? dark : light;
    context.clearRect(0, 0, this.width, this.height);
    this.paintNow(context, colours.link);
    this.copyCells(context, colours);
    this.paintMarked(context, colours.busy);
    this.paintRow(context, colours.busy, this.m_store.hovered.value);
    this.paintRow(context, colours.chosen, this.m_store.chosen.value);
    this.paintAxes(context, colours.quiet);
  }

  private paintNow(context: CanvasRenderingContext2D, colour: string): void {
    const step = this.m_store.stepOf(this.m_side);
    if (step < 1) return;
    context.fillStyle = colour;
    context.fillRect(
      this.x(step),
      0,
      this.x(step + 1) - this.x(step),
      this.height - axis.bottom + 4,
    );
  }

  /// Draws the cells, which are painted anew only when the chart's size or colours change.
  private copyCells(context: CanvasRenderingContext2D, colours: typeof light): void {
    const cells = this.m_cells;
    const made = `${this.m_canvas.width} ${this.m_canvas.height} ${colours.paper}`;
    if (cells.dataset.made !== made) {
      cells.dataset.made = made;
      cells.width = this.m_canvas.width;
      cells.height = this.m_canvas.height;
      const on = cells.getContext("2d")!;
      on.setTransform(context.getTransform());
      this.paintCells(on, colours);
    }
    if (cells.width > 0 && cells.height > 0)
      context.drawImage(cells, 0, 0, this.width, this.height);
  }

  /// Paints the cells; where several share a pixel, what any of them does.
  private paintCells(context: CanvasRenderingContext2D, colours: typeof light): void {
    const { x, y } = this;
    const { processors, steps } = this.run;
    const ranks = Math.max(1, Math.floor(0.7 / (y(1) - y(0))));
    const columns = Math.max(1, Math.floor(0.7 / (x(2) - x(1))));
    const wide = columns * (x(2) - x(1));
    const high = ranks * (y(1) - y(0));
    const gap = wide > 5 && high > 4 ? 1 : 0;
    for (let rank = 0; rank < processors; rank += ranks)
      for (let step = 1; step <= steps; step += columns) {
        const does = this.any(rank, ranks, step, columns);
        if (does !== 0)
          paintCell(context, colours, does, {
            left: x(step) + gap,
            top: y(rank) + gap / 2,
            width: Math.max(0.5, wide - 2 * gap),
            height: Math.max(0.6, high - gap),
          });
      }
  }

  private any(rank: number, ranks: number, step: number, steps: number): number {
    const activity = this.m_store.activity(this.m_side);
    let does = 0;
    for (let at = rank; at < Math.min(rank + ranks, this.run.processors); ++at)
      for (let of = step; of < Math.min(step + steps, this.run.steps + 1); ++of)
        does |= activity.at(at, of);
    return does;
  }

  /// Tints the cells of marked processors in marked steps, with bars at the left and below.
  private paintMarked(context: CanvasRenderingContext2D, colour: string): void {
    const mark = this.m_store.mark.value;
    if (!mark) return;
    const left = this.x(mark.first);
    const width = Math.max(0, Math.min(this.x(mark.last + 1), this.x.range[1]) - left);
    const height = this.y(1) - this.y(0);
    context.fillStyle = colour;
    context.fillRect(left, this.height - axis.bottom + 1, width, 3);
    for (const rank of mark.ranks) {
      if (rank >= this.run.processors) continue;
      context.globalAlpha = 1;
      context.fillRect(axis.left - 6, this.y(rank), 4, height);
      context.globalAlpha = 0.3;
      context.fillRect(left, this.y(rank), width, height);
    }
    context.globalAlpha = 1;
  }

  private paintRow(context: CanvasRenderingContext2D, colour: string, rank: number): void {
    if (rank < 0 || rank >= this.run.processors) return;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    const high = Math.max(2, this.y(1) - this.y(0));
    const [left, right] = this.x.range;
    context.strokeRect(left - 1, this.y(rank), right - left + 2, high);
  }

  private paintAxes(context: CanvasRenderingContext2D, colour: string): void {
    context.fillStyle = colour;
    const type = this.m_store.large.value ? large_type : 1;
    context.font = `${11 * type}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const { processors, steps } = this.run;
    const high = this.y(1) - this.y(0);
    const every = Math.max(1, niceStep((14 * type) / high));
    for (let rank = 0; rank < processors; rank += every)
      context.fillText(String(rank), axis.left - 8, Math.max(this.y(rank) + high / 2, 7));
    context.textAlign = "center";
    const wide = this.x(2) - this.x(1);
    for (let step = 1; step <= steps; step += Math.max(1, niceStep((26 * type) / wide)))
      context.fillText(String(step), this.x(step) + wide / 2, this.height - axis.bottom + 11);
  }
}

/// The least of 1, 2, 5, 10, 20 ... that is not less.
function niceStep(least: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((by) => by * ten).find((step) => step >= least) ?? 10 * ten;
}

/// A cell: sending above, taking in below, waiting as a line, queued messages as a stroke at the
/// foot.
function paintCell(
  context: CanvasRenderingContext2D,
  colours: typeof light,
  does: number,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  const sends = does & Does.send;
  const takes = does & Does.take_in;
  if (sends && takes && height < small_cell) {
    context.fillStyle = both_colour;
    context.globalAlpha = 0.75;
    context.fillRect(left, top, width, height);
    context.globalAlpha = 1;
  } else if (sends) {
    context.fillStyle = colours.message;
    context.fillRect(left, top, width, takes ? height / 2 : height);
  }
  if (takes && !(sends && height < small_cell)) {
    context.fillStyle = "#e69f00";
    context.fillRect(left, sends ? top + height / 2 : top, width, sends ? height / 2 : height);
  }
  if (does & Does.wait && !sends && !takes) {
    context.fillStyle = colours.edge;
    context.globalAlpha = 0.6;
    context.fillRect(left, top + height * 0.4, width, Math.max(0.5, height * 0.2));
    context.globalAlpha = 1;
  }
  if (does & Does.queue) {
    context.fillStyle = colours.clash;
    context.fillRect(left, top + height * 0.82, width, Math.max(0.5, height * 0.18));
  }
}
