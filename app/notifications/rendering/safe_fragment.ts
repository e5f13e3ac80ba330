import sanitizeHtml from 'sanitize-html'

const BLOCKS = 'p div h1 h2 h3 h4 h5 h6 blockquote pre hr ul ol li dl dt dd'
const INLINE = 'a b i u s em strong small sub sup code kbd span br img'
const TABLES = 'table caption thead tbody tfoot tr th td'

/** Elements whose text nobody sees in a mail. */
const DROPPED =
  'script style title head textarea option xmp noscript template svg math iframe object'.split(' ')

const HIDES =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?:font-size|max-height|opacity)\s*:\s*0(?:px)?\s*(?:[;!]|$))/i

/** Deeper elements lose their tags. */
const MAX_DEPTH = 64

/**
 * What a page of any application can show of a mail: structure, links and pictures, but nothing
 * that runs, submits, loads style sheets or styles the page (inbox.md#bodies).
 */
export function safeFragment(html: string): string {
  return sanitizeHtml(html, {
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

function transform(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  if (isHidden(attribs)) return { tagName, attribs: { hidden: 'hidden' } }
  if (tagName === 'a') {
    return { tagName, attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer' } }
  }
  if (tagName === 'img') {
    return { tagName, attribs: { ...attribs, loading: 'lazy', referrerpolicy: 'no-referrer' } }
  }
  return { tagName, attribs }
}

/** Mails repeat their beginning in hidden text, for the lists of mail programs. */
function isHidden({ class: names = '', style = '', hidden }: sanitizeHtml.Attributes) {
  return hidden !== undefined || HIDES.test(style) || names.split(/\s+/).includes('preheader')
}
