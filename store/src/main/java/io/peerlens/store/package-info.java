/** Writing and reading samples: COPY in, COPY out, roll-ups, retention. */
@NullMarked
package io.peerlens.store;

import org.jspecify.annotations.NullMarked;
