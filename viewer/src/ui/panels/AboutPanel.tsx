import { useStore } from "../context";

/// How the algorithm works, how it is called, and how this page was made.
export function AboutPanel() {
  const store = useStore();
  const { json } = store.run.value;
  return (
    <div>
      {json.explanation.length > 0 && (
        <ol class="explanation">
          {json.explanation.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
      )}
      <dl>
        {json.command && <Entry name="Command" value={json.command} />}
        {json.call && <Entry name="C++ call" value={json.call} />}
        {json.header && <Entry name="Header" value={`<${json.header}>`} />}
        <Entry name="Machine" value={machineText(json.machine)} />
        {Object.entries(json.parameters)
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <Entry key={name} name={name} value={String(value)} />
          ))}
      </dl>
    </div>
  );
}

function machineText(machine: {
  spec: string;
  processors: number;
  ports: string;
  switching: string;
  strict: boolean;
}): string {
  const strict = machine.strict ? ", strict" : "";
  return (
    `${machine.spec}: ${machine.processors} processors, ${machine.ports} port` +
    `${machine.ports === "one" ? "" : "s"}, ${machine.switching}${strict}`
  );
}

function Entry({ name, value }: { name: string; value: string }) {
  return (
    <div class="entry">
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  );
}
