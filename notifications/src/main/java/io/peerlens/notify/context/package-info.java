/** What templates, conditions and rules see of an alert, as one JSON document. */
@NullMarked
package io.peerlens.notify.context;

import org.jspecify.annotations.NullMarked;
