import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import type { Chart } from "../charts/index.ts";

type Drawn<Spec> = {
  readonly make: (spec: Spec) => Chart<Spec>;
  readonly spec: Spec;
};

/** One of the charts, drawn anew whenever what it shows has changed. */
export const Drawing = <Spec>({ make, spec }: Drawn<Spec>) => {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart<Spec> | null>(null);
  useEffect(() => {
    const made = make(spec);
    chart.current = made;
    place.current?.append(made.root);
    return () => {
      made.destroy();
      made.root.remove();
    };
  }, [make]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) chart.current?.update(spec);
    isFirst.current = false;
  }, [spec]);
  return html`<div class="drawing" ref=${place}></div>`;
};
