# Completion of the command tumble in fish, which asks the command itself what fits.

function __tumble_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end

complete -c tumble -f -a '(__tumble_complete)'
