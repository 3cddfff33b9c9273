import { DEMO_PATH, type DemoAdministration, demoAdministrations } from '../../../shared/client/demo.ts';
import { appAddress } from '../appAddress.ts';

/** The demo administrations of the app; none when it has no demo, or does not respond. */
export async function readDemo(): Promise<DemoAdministration[]> {
  try {
    const response = await fetch(`${appAddress()}/${DEMO_PATH}`);
    return response.ok ? demoAdministrations.parse(await response.json()) : [];
  } catch {
    return [];
  }
}
