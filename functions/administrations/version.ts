/** The version of the app. */
export const version = '0.1.0';
