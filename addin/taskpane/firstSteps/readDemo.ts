import { DEMO_PATH, type DemoAdministration, demoAdministrations } from '../../../shared/client/demo.ts';
import { appAddress } from '../appAddress.ts';

/** The demo administrations of the app; none where it is not the demo, or does not answer. */
export async function readDemo(): Promise<DemoAdministration[]> {
  try {
    const response = await fetch(`${appAddress()}/${DEMO_PATH}`);
    return response.ok ? demoAdministrations.parse(await response.json()) : [];
  } catch {
    return [];
  }
}
