import { useEffect, useEffectEvent, useRef } from 'react';

export type MenuItem = { label: string; onSelect: () => void; disabled?: boolean };

/** A place on the screen, in pixels. */
export type Point = { x: number; y: number };

type Props = { label: string; items: MenuItem[]; at: Point; onClose: () => void };

const ITEM_HEIGHT = 34;

/** The height of a menu with so many items. */
export const menuHeight = (items: number): number => items * ITEM_HEIGHT + 16;

/** A popup: its first enabled button gets the focus, and a click elsewhere closes it. */
export const usePopup = (onClose: () => void) => {
  const popup = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    popup.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (!popup.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => document.removeEventListener('pointerdown', onPointerDown, true);
  }, []);
  return popup;
};

/** A menu. Arrow keys move through it, Escape closes it. */
export const Menu = ({ label, items, at, onClose }: Props) => {
  const list = usePopup(onClose);

  const move = (step: number) => {
    const enabled = [...(list.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
    const index = enabled.indexOf(document.activeElement as HTMLElement);
    enabled[(index + step + enabled.length) % enabled.length]?.focus();
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
        top: Math.max(8, Math.min(at.y, window.innerHeight - menuHeight(items.length))),
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
