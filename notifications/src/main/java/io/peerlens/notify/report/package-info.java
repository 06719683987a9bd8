/** Reports of top talkers: the API, and sending them on schedule. */
@NullMarked
package io.peerlens.notify.report;

import org.jspecify.annotations.NullMarked;
