/** A new last child, named for `::part()` so that the embedding site may style it. */
export function addElement<Tag extends keyof HTMLElementTagNameMap>(
  parent: Node,
  tag: Tag,
  part: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.setAttribute('part', part);
  parent.appendChild(element);
  return element;
}
