import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { lazily } from '#core/values/lazily'
import { isAbsolute } from '#app/notifications/rendering/fragment_addresses'

const require = createRequire(import.meta.url)
/** Loaded on first use: it takes memory that processes without such pages do not need. */
const sanitizer = lazily(() => require('sanitize-html') as typeof sanitizeHtml)

const BLOCKS = 'p div h1 h2 h3 h4 h5 h6 blockquote pre hr ul ol li dl dt dd'
const INLINE = 'a b i u s em strong small sub sup code kbd span br img'
const TABLES = 'table caption thead tbody tfoot tr th td'

/** Elements whose text nobody sees in a mail. */
const DROPPED =
  'script style title head textarea option xmp noscript template svg math iframe object'.split(' ')

const HIDES =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?:font-size|max-height|opacity)\s*:\s*0(?:px)?\s*(?:[;!]|$))/i

const LINK = { target: '_blank', rel: 'noopener noreferrer' }
const PICTURE = { loading: 'lazy', referrerpolicy: 'no-referrer' }

/** Deeper elements lose their tags. */
const MAX_DEPTH = 64
/** What cells cover together. A browser takes seconds for a million places of a table. */
const MAX_COVERED_PLACES = 10_000

/**
 * What a page of any application can show of a mail: structure, links and pictures, but nothing
 * that runs, submits, loads style sheets, styles the page or is of its origin (inbox.md#bodies).
 * @param isFilledIn whether an address begins with something whose value is still unknown
 */
export function safeFragment(html: string, isFilledIn = (_address: string) => false): string {
  const keep = (attribute: 'href' | 'src', address = '') => {
    const trimmed = address.trim()
    return isAbsolute[attribute](trimmed) || isFilledIn(trimmed) ? { [attribute]: trimmed } : {}
  }
  let coveredPlaces = 0
  const keepSpans = ({ colspan = '1', rowspan = '1', ...others }: sanitizeHtml.Attributes) => {
    const places = spanOf(colspan) * spanOf(rowspan)
    // NaN if the value of a variable would become the span.
    if (!(coveredPlaces + places <= MAX_COVERED_PLACES)) return others
    coveredPlaces += places
    return { ...(colspan !== '1' && { colspan }), ...(rowspan !== '1' && { rowspan }), ...others }
  }
  const transform = (tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
    if (isHidden(attribs)) return { tagName, attribs: { hidden: 'hidden' } }
    const { href, src, ...others } = attribs
    if (tagName === 'a') return { tagName, attribs: { ...keep('href', href), ...others, ...LINK } }
    if (tagName === 'img') {
      return { tagName, attribs: { ...keep('src', src), ...others, ...PICTURE } }
    }
    if (tagName === 'td' || tagName === 'th') return { tagName, attribs: keepSpans(attribs) }
    return { tagName, attribs }
  }
  return sanitizer()(html, {
    allowedTags: [BLOCKS, INLINE, TABLES].flatMap((names) => names.split(' ')),
    allowedAttributes: {
      '*': ['hidden'],
      'a': ['href', 'rel', 'target', 'title'],
      'img': ['alt', 'height', 'loading', 'referrerpolicy', 'src', 'width'],
      'ol': ['start'],
      'td': ['colspan', 'rowspan'],
      'th': ['colspan', 'rowspan', 'scope'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'sms'],
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    nonTextTags: DROPPED,
    nestingLimit: MAX_DEPTH,
    parseStyleAttributes: false,
    transformTags: { '*': transform },
    exclusiveFilter: ({ attribs }) => attribs.hidden !== undefined,
  }).trim()
}

/** A cell that spans 0 rows spans all that follow. NaN if it is not a number. */
const spanOf = (attribute: string) =>
  /^\d+$/.test(attribute) ? Number(attribute) || MAX_COVERED_PLACES : Number.NaN

/** Mails repeat their beginning in hidden text, for the lists of mail programs. */
function isHidden({ class: names = '', style = '', hidden }: sanitizeHtml.Attributes) {
  return hidden !== undefined || HIDES.test(style) || names.split(/\s+/).includes('preheader')
}
