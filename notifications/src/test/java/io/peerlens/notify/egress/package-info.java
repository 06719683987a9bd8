@NullMarked
package io.peerlens.notify.egress;

import org.jspecify.annotations.NullMarked;
