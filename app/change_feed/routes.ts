import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

router
  .get('/api/internal/changes', [controllers.changeFeed.ChangeFeed, 'index'])
  .as('change_feed.change_feed.index')
  .use([middleware.internalKey(), throttle.internal])
