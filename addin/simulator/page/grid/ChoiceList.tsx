type Props = {
  id: string;
  label: string;
  options: readonly string[];
  /** The index of the marked option; -1 for none. */
  marked: number;
  /** Where it is, on the canvas. */
  place: { left: number; top: number; width: number };
  onChoose: (option: string) => void;
};

export const optionId = (list: string, index: number): string => `${list}-${index}`;

/** What may be entered into a cell with a list, below its editor: only what has the typed text in it. */
export const ChoiceList = ({ id, label, options, marked, place: { left, top, width }, onChoose }: Props) => (
  <div id={id} role="listbox" aria-label={label} className="choice-list" style={{ left, top, minWidth: width }}>
    {options.map((option, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the editor keeps the focus, and names the marked option.
      // biome-ignore lint/a11y/useKeyWithClickEvents: the editor has the keys.
      <div
        key={option}
        id={optionId(id, index)}
        role="option"
        aria-selected={index === marked}
        ref={index === marked ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
        onPointerDown={(event) => {
          // The editor would lose the focus, and enter what was typed.
          event.preventDefault();
          event.stopPropagation();
        }}
        onClick={() => onChoose(option)}
      >
        {option}
      </div>
    ))}
  </div>
);
