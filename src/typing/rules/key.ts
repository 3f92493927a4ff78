/** The keys that type no visible character. No `char` of a request can be one of them. */
export const spaceKey = ' ';
export const backspaceKey = '\b';
