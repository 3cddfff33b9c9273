import manifest from '../../../manifest.xml?raw';
import type { Language } from '../../taskpane/locales/words.ts';
import { locales } from '../workbook/cells/locale.ts';

/** A button of the ribbon, with the action of the add-in that it calls; without one it shows the pane. */
export type RibbonButton = { id: string; label: string; description: string; icon: string; action: string | undefined };
export type RibbonGroup = { label: string; buttons: RibbonButton[] };

/** The groups that the manifest adds to Excel's ribbon, in a language. */
export const ribbonGroups = (language: Language): RibbonGroup[] => {
  const xml = new DOMParser().parseFromString(manifest, 'application/xml');
  const all = (parent: Element | Document, name: string) => [...parent.getElementsByTagName(name)];
  const resources = new Map(
    ['bt:String', 'bt:Image', 'bt:Url']
      .flatMap((name) => all(xml, name))
      .filter((element) => element.hasAttribute('id'))
      .map((element) => [element.getAttribute('id')!, element]),
  );
  const resource = (parent: Element, name: string): string => {
    const found = resources.get(all(parent, name)[0]?.getAttribute('resid') ?? '');
    const own =
      found && all(found, 'bt:Override').find((each) => each.getAttribute('Locale') === locales[language].tag);
    if (own === undefined && language !== 'en' && found?.tagName === 'bt:String')
      throw new Error(`The manifest has no text ${found.id} in ${locales[language].tag}.`);
    return own?.getAttribute('Value') ?? found?.getAttribute('DefaultValue') ?? '';
  };
  const icon = (control: Element): string => {
    const image = all(control, 'bt:Image').find((each) => each.getAttribute('size') === '32');
    const address = resources.get(image?.getAttribute('resid') ?? '')?.getAttribute('DefaultValue');
    return address ? new URL(address).pathname : '';
  };
  return all(xml, 'Group').map((group) => ({
    label: resource(group, 'Label'),
    buttons: all(group, 'Control').map((control) => ({
      id: control.getAttribute('id') ?? '',
      label: resource(control, 'Label'),
      description: resource(control, 'Description'),
      icon: icon(control),
      action: all(control, 'FunctionName')[0]?.textContent ?? undefined,
    })),
  }));
};
