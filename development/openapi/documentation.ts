import ts from 'typescript'

export interface Documentation {
  summary: string
  description?: string
}

/** Citations such as `(checks.md#evaluation-order)`, which are left out of the public texts. */
const CITATIONS = /\s*\((?:[a-z-]+\.md#[a-z\d-]+(?:, )?)+\)/g

/**
 * Splits a method's comment: its first sentence is the summary, the rest the description.
 * @throws Error if the method has no comment
 */
export function documentationOf(
  method: ts.MethodDeclaration | ts.PropertySignature
): Documentation {
  const [summary, ...rest] = sentencesOf(method)
  if (!summary) throw new Error('The method has no comment. Its first sentence becomes the summary')
  return { summary: summary.replace(/\.$/, ''), description: rest.join(' ') || undefined }
}

/** The comment of a field as a description: on one line, with a full stop. */
export function fieldDescription(comment: string): string | undefined {
  const text = publicText(comment)
  if (text === '') return undefined
  return /[.!?:]$/.test(text) ? text : `${text}.`
}

/** Sentences end in a full stop and a space, so `4.3` does not end one. */
function sentencesOf(node: ts.Node): string[] {
  return publicText(commentOf(node))
    .split(/(?<=[.!?]) (?=[A-Z`])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  return ts.getTextOfJSDocComment(comment?.comment) ?? ''
}

const publicText = (comment: string) =>
  comment.replaceAll(/\s+/g, ' ').replaceAll(CITATIONS, '').trim()
