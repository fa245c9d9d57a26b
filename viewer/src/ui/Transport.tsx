import type { ComponentProps } from "preact";
import { speeds } from "../state/store";
import { useStore } from "./context";
import { Icon } from "./Icon";

/// What steps through the run: buttons, a slider, the speed.
export function Transport() {
  return (
    <div class="transport">
      <Buttons />
      <Slider />
      <Speed />
    </div>
  );
}

function Buttons() {
  const store = useStore();
  const step = store.step.value;
  const locked = store.hidesFuture.value;
  const forward = () => {
    store.pause();
    store.forward();
  };
  const atStart = locked || step === 0;
  const atEnd = locked || step === store.steps;
  return (
    <div class="buttons" role="group" aria-label="Steps">
      <Button label="First step" keys="Home" icon="first" off={atStart} act={() => store.jump(0)} />
      <Button label="Back" keys="←" icon="back" off={atStart} act={() => store.back()} />
      <PlayButton />
      <Button label="Forward" keys="→" icon="forward" off={atEnd} act={forward} />
      <Button
        label="Last step"
        keys="End"
        icon="last"
        off={atEnd}
        act={() => store.jump(store.steps)}
      />
    </div>
  );
}

function PlayButton() {
  const store = useStore();
  const playing = store.playing.value;
  const name = playing ? "Pause" : "Play";
  return (
    <button
      type="button"
      class="play"
      aria-label={name}
      title={`${name} (space)`}
      disabled={store.hidesFuture.value || store.steps === 0}
      onClick={() => store.toggle()}
    >
      <Icon name={playing ? "pause" : "play"} />
    </button>
  );
}

function Slider() {
  const store = useStore();
  const step = store.step.value;
  return (
    <input
      class="slider"
      type="range"
      min={0}
      max={store.steps}
      value={step}
      disabled={store.hidesFuture.value || store.steps === 0}
      aria-label="Step"
      aria-valuetext={`step ${step} of ${store.steps}`}
      onInput={(event) => store.jump(Number(event.currentTarget.value))}
    />
  );
}

function Speed() {
  const store = useStore();
  return (
    <label class="speed">
      <span class="quiet">Speed</span>
      <select
        value={String(store.speed.value)}
        onChange={(event) => {
          store.speed.value = Number(event.currentTarget.value);
          event.currentTarget.blur(); // so that arrow keys go through the steps again
        }}
      >
        {speeds.map((speed) => (
          <option key={speed} value={String(speed)}>
            {speed} {speed === 1 ? "step" : "steps"}/s
          </option>
        ))}
      </select>
    </label>
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
