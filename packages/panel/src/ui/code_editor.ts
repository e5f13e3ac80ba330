import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { HighlightStyle } from '@codemirror/language'
import { Decoration, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** How the editor looks, in the colours of the panel. */
export const LOOK = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--ui-text)', maxHeight: '34rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', minHeight: '16rem', caretColor: 'var(--ui-text-highlighted)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--ui-text-dimmed)',
    border: 'none',
  },
  '.cm-activeLine': {
    backgroundColor: 'color-mix(in oklab, var(--ui-bg-elevated) 50%, transparent)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ui-text-highlighted)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'color-mix(in oklab, var(--ui-primary) 25%, transparent)' },
  '.cm-placeholder-name': {
    borderRadius: '4px',
    backgroundColor: 'color-mix(in oklab, var(--ui-primary) 12%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--ui-bg)',
    color: 'var(--ui-text)',
    border: '1px solid var(--ui-border-accented)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'ui-monospace, monospace' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--ui-primary)',
    color: 'var(--ui-on-primary)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', fontFamily: 'var(--font-sans)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
})

export const COLOURS = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket, tags.bracket, tags.atom], color: 'var(--ui-primary)' },
  { tag: tags.attributeName, color: 'var(--ui-warning)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--ui-success)' },
  { tag: tags.comment, color: 'var(--ui-text-dimmed)' },
])

/** In a shadow root, only Chromium has it. */
type RootWithSelection = (Document | ShadowRoot) & { getSelection?: () => Selection | null }

/** What is selected in the page, which the editor may not know yet; null if it is nothing. */
function selectedRange(view: EditorView): [number, number] | null {
  const selection = (view.root as RootWithSelection).getSelection?.()
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return null
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0)
  return [view.posAtDOM(startContainer, startOffset), view.posAtDOM(endContainer, endOffset)]
}

/**
 * Typing over a selection. By itself, Chromium would keep the look of what was selected in inline
 * styles, which the policy of the page refuses.
 */
export const typedOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event
    if (inputType !== 'insertText' || data === null || isComposing) return false
    const range = selectedRange(view)
    if (range === null || view.state.readOnly) return false
    event.preventDefault()
    const [from, to] = range
    view.dispatch({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    })
    return true
  },
})

const placeholders = new MatchDecorator({
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-placeholder-name' }),
})

/** Makes `{{placeholders}}` stand out, wherever they are in the HTML. */
export const markedPlaceholders = ViewPlugin.define(
  (view) => {
    let decorations = placeholders.createDeco(view)
    return {
      get decorations() {
        return decorations
      },
      update: (update) => (decorations = placeholders.updateDeco(update, decorations)),
    }
  },
  { decorations: (plugin) => plugin.decorations }
)

/** Suggests variables after `{{`, and after the marks of sections, as in `{{#`. */
export const placeholderCompletion =
  (variables: () => { name: string; help: string }[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(/\{\{[#^/]?\s*[\w.]*/)
    if (!before) return null
    const [begun] = /^\{\{[#^/]?\s*/.exec(before.text)!
    const after = context.state.sliceDoc(context.pos, context.pos + 2)
    const closing = after === '}}' ? '' : '}}'
    return {
      from: before.from + begun.length,
      options: variables().map(({ name, help }) => ({
        label: name,
        detail: help,
        apply: name + closing,
      })),
      validFor: /^[\w.]*$/,
    }
  }
