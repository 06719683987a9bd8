/** Gathering what is known of a machine's path, and the API that says why it is slow. */
@NullMarked
package io.peerlens.slow.api;

import org.jspecify.annotations.NullMarked;
