/** Who is told of what: notification rules. */
@NullMarked
package io.peerlens.notify.rule;

import org.jspecify.annotations.NullMarked;
