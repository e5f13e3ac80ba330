type Attribute = string | number | boolean | null | undefined | ((event: never) => unknown)
export type Child = Node | string | null | undefined | false

/**
 * Creates an element. A function is a listener (`onclick`), and null, undefined and false leave an
 * attribute out. There are no inline styles, which strict policies forbid.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(key.slice(2), value as (event: Event) => unknown)
    } else set(element, key, value)
  }
  element.append(
    ...children.filter((child) => child !== null && child !== undefined && child !== false)
  )
  return element
}

export function set(
  element: Element,
  key: string,
  value: string | number | boolean | null | undefined
) {
  if (value === null || value === undefined || value === false) return element.removeAttribute(key)
  const text = value === true ? '' : String(value)
  if (element.getAttribute(key) !== text) element.setAttribute(key, text)
}

/** Only if it differs, so that screen readers and selections are left alone. */
export function setText(element: Element, text: string) {
  if (element.textContent !== text) element.textContent = text
}

/** Puts the children in this order, and moves only what is elsewhere. */
export function arrange(parent: Element, children: Element[]) {
  const wanted = new Set(children)
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove()
  for (const [index, child] of children.entries()) {
    const current = parent.children[index]
    if (current !== child) parent.insertBefore(child, current ?? null)
  }
}
