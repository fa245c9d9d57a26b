import { speeds } from "../state/store";
import type { ComponentProps } from "preact";
import { useStore } from "./context";
import { Icon } from "./Icon";

/// The buttons that step through the run, and the slider.
export function Transport() {
  const store = useStore();
  const step = store.step.value;
  const playing = store.playing.value;
  const locked = store.hidesFuture.value;
  return (
    <div class="transport">
      <div class="buttons" role="group" aria-label="Steps">
        <Button label="First step" keys="Home" icon="first" off={locked} act={() => store.jump(0)} />
        <Button label="Back" keys="←" icon="back" off={locked || step === 0} act={() => store.back()} />
        <button
          type="button"
          class="play"
          aria-label={playing ? "Pause" : "Play"}
          title={`${playing ? "Pause" : "Play"} (space)`}
          disabled={locked}
          onClick={() => store.toggle()}
        >
          <Icon name={playing ? "pause" : "play"} />
        </button>
        <Button
          label="Forward"
          keys="→"
          icon="forward"
          off={locked || step === store.steps}
          act={() => {
            store.pause();
            store.forward();
          }}
        />
        <Button
          label="Last step"
          keys="End"
          icon="last"
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

interface ButtonOf {
  label: string;
  keys: string;
  icon: ComponentProps<typeof Icon>["name"];
  off: boolean;
  act: () => void;
}

function Button(its: ButtonOf) {
  return (
    <button
      type="button"
      aria-label={its.label}
      title={`${its.label} (${its.keys})`}
      disabled={its.off}
      onClick={its.act}
    >
      <Icon name={its.icon} />
    </button>
  );
}
