import { useEffect, useRef } from 'react';

export type MenuItem = { label: string; onSelect: () => void; disabled?: boolean };

type Props = {
  label: string;
  items: MenuItem[];
  /** Where on the screen it opens. */
  at: { x: number; y: number };
  onClose: () => void;
};

/** A menu at a place on the screen. Arrow keys move through it, Escape closes it. */
export const Menu = ({ label, items, at, onClose }: Props) => {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus();
    const outside = (event: PointerEvent) => {
      if (!list.current?.contains(event.target as Node)) onClose();
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  }, [onClose]);

  const move = (step: number) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])];
    const index = entries.indexOf(document.activeElement as HTMLElement);
    entries[(index + step + entries.length) % entries.length]?.focus();
  };

  return (
    <div
      ref={list}
      className="menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      style={{
        left: Math.min(at.x, window.innerWidth - 240),
        top: Math.min(at.y, window.innerHeight - items.length * 34 - 16),
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault();
          onClose();
        } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          event.preventDefault();
          move(event.key === 'ArrowDown' ? 1 : -1);
        }
      }}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          disabled={item.disabled}
          onClick={() => {
            onClose();
            item.onSelect();
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
};
