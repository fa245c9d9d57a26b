import { speeds } from "../state/store";
import { useStore } from "./context";

/// The buttons that step through the run, and the slider.
export function Transport() {
  const store = useStore();
  const step = store.step.value;
  const playing = store.playing.value;
  const locked = store.hidesFuture.value;
  return (
    <div class="transport">
      <div class="buttons" role="group" aria-label="Steps">
        <Button label="First step" keys="Home" sign="⏮" off={locked} act={() => store.jump(0)} />
        <Button label="Back" keys="←" sign="◀" off={locked || step === 0} act={() => store.back()} />
        <button
          type="button"
          class="play"
          aria-label={playing ? "Pause" : "Play"}
          title={`${playing ? "Pause" : "Play"} (space)`}
          disabled={locked}
          onClick={() => store.toggle()}
        >
          {playing ? "❚❚" : "▶"}
        </button>
        <Button
          label="Forward"
          keys="→"
          sign="▶"
          off={locked || step === store.steps}
          act={() => {
            store.pause();
            store.forward();
          }}
        />
        <Button
          label="Last step"
          keys="End"
          sign="⏭"
          off={locked}
          act={() => store.jump(store.steps)}
        />
      </div>
      <input
        class="slider"
        type="range"
        min={0}
        max={store.steps}
        value={step}
        disabled={locked}
        aria-label="Step"
        aria-valuetext={`step ${step} of ${store.steps}`}
        onInput={(event) => store.jump(Number(event.currentTarget.value))}
      />
      <label class="speed">
        <span class="quiet">Speed</span>
        <select
          value={String(store.speed.value)}
          onChange={(event) => (store.speed.value = Number(event.currentTarget.value))}
        >
          {speeds.map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed} steps/s
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Button(its: { label: string; keys: string; sign: string; off: boolean; act: () => void }) {
  return (
    <button
      type="button"
      aria-label={its.label}
      title={`${its.label} (${its.keys})`}
      disabled={its.off}
      onClick={its.act}
    >
      {its.sign}
    </button>
  );
}
