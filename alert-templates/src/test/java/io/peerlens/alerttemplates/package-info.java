@NullMarked
package io.peerlens.alerttemplates;

import org.jspecify.annotations.NullMarked;
