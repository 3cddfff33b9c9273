import { usePage } from './pageContext.ts';
import type { RibbonGroup } from './ribbonGroups.ts';

type Props = { groups: RibbonGroup[]; onOpen: (query: string) => void };

/** The tab that the manifest puts into Excel's ribbon: each button loads a page into the pane. */
export const Ribbon = ({ groups, onOpen }: Props) => (
  <nav className="ribbon" aria-label={usePage().messages.ribbon}>
    {groups.map(({ label, buttons }) => (
      <ul key={label} className="ribbon-group" aria-label={label}>
        {buttons.map((button) => (
          <li key={button.id}>
            <button type="button" title={button.description} onClick={() => onOpen(button.query)}>
              <img src={button.icon} alt="" width="24" height="24" />
              {button.label}
            </button>
          </li>
        ))}
      </ul>
    ))}
  </nav>
);
