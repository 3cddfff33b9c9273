import { usePage } from './pageContext.ts';
import type { RibbonButton, RibbonGroup } from './ribbonGroups.ts';

type Props = { groups: RibbonGroup[]; onPress: (button: RibbonButton) => void };

/** The tab that the manifest puts into Excel's ribbon: each button opens a view of the pane. */
export const Ribbon = ({ groups, onPress }: Props) => (
  <nav className="ribbon" aria-label={usePage().messages.ribbon}>
    {groups.map(({ label, buttons }) => (
      <ul key={label} className="ribbon-group" aria-label={label}>
        {buttons.map((button) => (
          <li key={button.id}>
            <button type="button" title={button.description} onClick={() => onPress(button)}>
              <img src={button.icon} alt="" width="24" height="24" />
              {button.label}
            </button>
          </li>
        ))}
      </ul>
    ))}
  </nav>
);
