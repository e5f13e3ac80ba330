import { RULES_LIST, configApp } from '@adonisjs/eslint-config'

/** Sections of `app/`, lowest first. Each may import from those before it only. */
const SECTIONS = [
  'core',
  'platform',
  'applications',
  'profiles',
  'permissions',
  'checks',
  'auth',
  'notifications',
  'delivery',
  'broadcasts',
  'identity_provider',
  'operations',
]

/** What a section keeps to itself. */
const PRIVATE = ['controllers', 'middleware', 'validators', 'queries']

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The import rule of one section. A pattern per reason, so that messages can say what to do. */
function sectionRules(section, index) {
  const above = SECTIONS.slice(index + 1).map(escape)
  const others = SECTIONS.filter((name) => name !== section && name !== 'core').map(escape)
  const patterns = [
    {
      regex: `^#app/(${others.join('|')})/(${PRIVATE.join('|')})/`,
      message: 'Other sections offer models, values, events, actions and transformers only.',
    },
    { regex: '^\\.\\./', message: 'Import across folders by #app, so that the rule sees it.' },
    {
      regex: '^#(tests|development)/',
      message: 'The service knows neither tests nor the development world.',
    },
  ]
  if (above.length > 0) {
    patterns.push({
      regex: `^#app/(${above.join('|')})/`,
      message: `${section} is below that section (see eslint.config.js): turn the dependency round, with an event or a seam.`,
    })
  }
  return {
    files: [`app/${section}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  }
}

export default configApp(
  {
    ignores: [
      ...['build/', '.adonisjs/', 'database/schema.ts', 'tmp/'],
      ...['packages/*/dist/', 'packages/client/src/api.ts', 'packages/cli/src/api_description.ts'],
      'resources/api_reference/',
    ],
  },
  // The framework leaves them out, taking them for those of a browser.
  { files: ['resources/**/*.ts'], rules: RULES_LIST },
  {
    rules: {
      '@unicorn/no-await-expression-member': 'off',
      // Prettier wraps code, but not comments. Tables of tests may be wider.
      '@stylistic/max-len': [
        'error',
        { code: 1_000, comments: 100, ignoreUrls: true, ignorePattern: String.raw`^\s*// {4,}` },
      ],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['app/**', 'commands/**', 'start/**', 'providers/**', 'database/**'],
    ignores: ['app/core/database/transaction.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="transaction"]',
          message: 'Use transaction() of #core/database/transaction: it sees a COMMIT that failed.',
        },
      ],
    },
  },
  { files: ['tests/**', 'benchmarks/**'], rules: { 'max-lines': 'off' } },
  ...SECTIONS.map(sectionRules)
)
