/** What a notification looks like: templates as data, rendered as trees. */
@NullMarked
package io.peerlens.alerttemplates;

import org.jspecify.annotations.NullMarked;
