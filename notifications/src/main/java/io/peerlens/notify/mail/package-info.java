/** Messages as mail: threads, inline charts, and nothing that could become a header of its own. */
@NullMarked
package io.peerlens.notify.mail;

import org.jspecify.annotations.NullMarked;
