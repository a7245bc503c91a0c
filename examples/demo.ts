/** What `npm run demo` prints: the verdict on a first setup, and what protection is worth when nodes go. */
import './quickstart/main';
import './resilient-web/consolidation';
