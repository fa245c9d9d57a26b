import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { markText } from "../data/mark";
import { processorText, stepSentence } from "../data/sentences";
import { counted } from "../data/words";
import { most_zoom, unzoomed } from "../drawing/camera";
import { dark, light } from "../drawing/colours";
import type { Store } from "../state/store";
import { useStore } from "./context";
import { Icon } from "./Icon";
import { NetworkPainter } from "./network_painter";

/// The machine of one run, with what travels in this step. Three canvases: what stands still is drawn
/// once a step, what moves in each frame, and the processors before it, so that none is hidden.
export function Network({ side }: { side: number }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<TipOf | undefined>(undefined);
  const [zoom, setZoom] = useState(unzoomed);
  const painter = useRef<NetworkPainter | undefined>(undefined);
  useEffect(() => {
    painter.current = new NetworkPainter(store, side, box.current!, setZoom);
    return () => painter.current?.stop();
  }, [store, side]);
  const run = store.runs[side];
  const step = store.stepOf(side);
  const rankUnder = (event: MouseEvent) =>
    painter.current?.rankAt(event.offsetX, event.offsetY) ?? -1;
  const hover = (event: MouseEvent) => {
    const rank = rankUnder(event);
    store.hovered.value = store.drawings[side].grouping ? -1 : rank;
    setTip(rank < 0 ? undefined : { x: event.offsetX, y: event.offsetY, rank });
  };
  const click = (event: MouseEvent) => store.click(side, rankUnder(event));
  return (
    <div class="network">
      <div
        class="canvases"
        ref={box}
        role="img"
        aria-label={`${run.json.title}, ${run.heading(step).toLowerCase()} of ${run.lastStep}. ${stepSentence(run, step)}`}
        onMouseMove={hover}
        onMouseLeave={() => {
          store.hovered.value = -1;
          setTip(undefined);
        }}
        onClick={click}
      >
        <canvas class="still" />
        <canvas class="moving" />
        <canvas class="before" />
        {tip && <Tip side={side} {...tip} />}
      </div>
      <ZoomButtons scale={zoom.k} zoom={(by) => painter.current?.zoomBy(by)} />
      <Notes side={side} />
    </div>
  );
}

interface TipOf {
  x: number;
  y: number;
  rank: number;
}

/// What a processor does, beside the pointer.
function Tip({ side, x, y, rank }: TipOf & { side: number }) {
  const store = useStore();
  const step = store.stepOf(side);
  return (
    <div class="tip" style={{ left: `${x}px`, top: `${y}px` }}>
      <b>{labelOf(store, side, rank)}</b>
      {!store.drawings[side].grouping && step > 0 && (
        <span> {processorText(store.runs[side], rank, step)}</span>
      )}
    </div>
  );
}

/// What a reader has to know of the drawing.
function Notes({ side }: { side: number }) {
  const store = useStore();
  const { note } = store.drawings[side].grouping ?? store.drawings[side].layout;
  return (
    <>
      {store.heat.value && <HeatKey />}
      {note && <p class="note">{note}</p>}
    </>
  );
}

/// What the colours of links mean that carry the loads of the whole run, or of the mark.
function HeatKey() {
  const store = useStore();
  const { low, high } = store.theme.value === "dark" ? dark : light;
  const mark = store.mark.value;
  return (
    <p class="note heatkey">
      Words of {mark ? markText(mark) : "the whole run"}: 0{" "}
      <i style={{ background: `linear-gradient(90deg, ${low}, ${high})` }} />{" "}
      {counted(store.mostWords, "word")}
    </p>
  );
}

function labelOf(store: Store, side: number, rank: number): string {
  const { grouping } = store.drawings[side];
  return grouping ? grouping.label(grouping.node[rank]) : store.runs[side].label(rank);
}

/// Zooms by steps; 0 shows all. A button that would change nothing is disabled.
function ZoomButtons({ scale, zoom }: { scale: number; zoom: (by: number) => void }) {
  const button = (name: string, sign: ComponentChildren, off: boolean, by: number) => (
    <button type="button" aria-label={name} title={name} disabled={off} onClick={() => zoom(by)}>
      {sign}
    </button>
  );
  return (
    <div class="zoom">
      {button("Zoom in", "+", scale >= most_zoom, 1.4)}
      {button("Zoom out", "−", scale <= 1, 1 / 1.4)}
      {button("Show all", <Icon name="all" />, scale <= 1, 0)}
    </div>
  );
}
