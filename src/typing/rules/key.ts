/** The keys that type no visible character; the `char` of a request can be neither. */
export const spaceKey = ' ';
export const backspaceKey = '\b';
